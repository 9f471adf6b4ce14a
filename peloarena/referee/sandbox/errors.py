"""The one error of the sandbox. It is the machine's fault or the host's, never a bot's."""


class SandboxError(Exception):
    """The requested isolation is unavailable here; the message says what is missing and how to get it."""
