"""What holds for all tests."""

import signal

# Whoever runs them in the background may have had interrupts ignored, and so would the programs be
# started that are to answer one.
signal.signal(signal.SIGINT, signal.default_int_handler)
