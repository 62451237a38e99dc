"""How large data may be; every reader stops before it expands more. All are our choice unless a source is named."""

from __future__ import annotations

FILE_BYTES = 2 << 30  # a file, as stored and as expanded
RATIO = 200  # expanded over stored, counted once RATIO_AFTER bytes have come out
RATIO_AFTER = 32 << 20  # zeros deflate 1000 to 1, so a small file of them is no bomb yet
LINE_BYTES = 8 << 20
COLUMNS = 50_000  # each is typed on its own: some seconds for so many
ROWS = 50_000_000
CELLS = 250_000_000  # 2 GB as float64
CELL_CHARACTERS = 1 << 20
UNPACKED_BYTES = 512 << 20  # of a gzip file; a larger one is unpacked by hand
QUERY_BYTES = 512 << 20  # of the answer to a query in memory, and of what SQLite needs to sort
DOWNLOAD_SECONDS = 300
CONNECT_SECONDS = 20
QUERY_SECONDS = 300
LOG_FILES = 2000  # logs in one folder
LOG_MEMBERS = 500_000  # files in one log: a sample and an epoch each
LOG_BYTES = 32 << 30  # that the members of one log unpack to, one after the other
LOG_SAMPLES = 5_000_000  # scores of all logs together
VALUE_BYTES = 64 << 20  # of one value in a log, or a whole log, in memory at a time
