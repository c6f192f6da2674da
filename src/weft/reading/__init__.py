"""What every reader of input shares: files, JSON, CSV and names, each understood in one place.

============ ==========================================================================================================
module       holds
============ ==========================================================================================================
`files`      what is in a file or a stream, and what to say where it cannot be read or written
`json_text`  strict JSON: no key twice, no NaN, and the line of whatever is wrong
`csv_text`   the records of CSV, with the lines that they start on
`arguments`  what Python users pass: refused where it enters if it is of the wrong type
`names`      names in text: when they go in double quotes, and how they are read back
============ ==========================================================================================================
"""
