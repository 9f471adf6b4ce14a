"""How the backend holds the web process, which it does not trust: by sockets that take bytes alone."""

import pytest
from web_servers import serving

from peloarena.referee.sandbox import streams
from peloarena.web.channel import ChannelClosed
from peloarena.web.web_process import start_web_process

EXAMINED = """
import os, socket, stat, sys
channel = socket.socket(fileno=int(sys.argv[1]))
try:
    socket.send_fds(channel, [b"x"], [0])
    said = "sent"
except PermissionError:
    said = "refused"
print(stat.S_ISSOCK(os.fstat(2).st_mode), said, file=sys.stderr)
"""


def test_the_web_process_writes_to_a_socket_and_passes_no_descriptors() -> None:
    """Like a bot, it could hold up the reader of a pipe."""
    said: list[str] = []
    with start_web_process(serving(1), said.append, ("-c", EXAMINED)) as process, pytest.raises(ChannelClosed):
        process.end.receive_request()
    assert said == [f"web process: True {'refused' if streams.KERNEL_REFUSES_DESCRIPTORS else 'sent'}"]
