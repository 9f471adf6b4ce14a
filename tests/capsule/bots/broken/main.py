"""Never says hello: no night takes it."""

import sys

sys.exit("broken: as ever")
