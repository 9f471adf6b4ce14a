"""Ends with status 3 before it says hello."""

import os

os._exit(3)
