"""Says hello and never reads again."""

import time

from manners import arrive

arrive()
time.sleep(60)
