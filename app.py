# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "babel>=2.17,<3",
#     "flask>=3.1,<4",
#     "flask-wtf>=1.3,<2",
#     "segno>=1.6.6,<2",
#     "sqlite-utils>=4.2,<5",
#     "typst>=0.15,<0.16",
#     "waitress>=3,<4",
#     "wtforms>=3.3,<4",
# ]
# ///
"""Start the app: `python3 app.py`."""

import sys

if sys.version_info < (3, 11):
    sys.exit("fiveup_ref needs Python 3.11 or newer; this is Python " + sys.version.split()[0] + ".")

from fiveup_ref.bootstrap import ensure


def main() -> None:
    """Serve the app until it is interrupted."""
    ensure("requirements.txt")
    from fiveup_ref.web.serve import serve  # noqa: PLC0415 - can be imported only from here on

    serve(sys.argv[1:])


if __name__ == "__main__":
    main()
