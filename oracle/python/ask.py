#!/usr/bin/env python3
"""Answers questions of the ask protocol with urllib.robotparser.

One question a line on standard input, one answer a line on standard output,
each a JSON object. The module has no dialects and does not tell the line that
decides.
"""

import base64
import json
import os
import platform
import sys
import urllib.robotparser


class Unanswerable(Exception):
    """Says what is wrong with a line."""


class Client:
    """Answers lines. It keeps the text of the line before, and its parser."""

    def __init__(self):
        self.text = None  # str; bytes if from base64; None if there is none
        self.parser = None  # of the text, once it was read

    def reply(self, line):
        """Returns the answer to one line, an object for JSON."""
        reply = {}
        try:
            agent, url = self.read(line, reply)
            reply["allowed"] = self.ask(agent, url)
        except Unanswerable as err:
            reply["error"] = str(err)
        except Exception as err:  # whatever the library raises
            reply["error"] = f"{type(err).__name__}: {err}"
        return reply

    def ask(self, agent, url):
        """Asks the library."""
        if self.parser is None:
            parser = urllib.robotparser.RobotFileParser()
            text = self.text
            if isinstance(text, bytes):
                # As the read method does: what is not UTF-8 is an error.
                text = text.decode("utf-8")
            parser.parse(text.splitlines())
            self.parser = parser
        return self.parser.can_fetch(agent, url)

    def read(self, line, reply):
        """Reads a question, and puts its id in the reply.

        Where it cannot tell the text of the line, it forgets that of the line
        before: a line that leaves its text out must not be answered by the
        text of another.
        """
        before, parser = self.text, self.parser
        self.text = self.parser = None
        try:
            fields = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError) as err:
            raise Unanswerable(f"the line is not a question: {err}") from None
        if not isinstance(fields, dict):
            raise Unanswerable("the line is not a question: it is no JSON object")
        if "id" in fields:
            reply["id"] = fields["id"]

        def field(name):
            value = fields.get(name)
            if value is not None and not isinstance(value, str):
                raise Unanswerable(f'the line is not a question: "{name}" is no string')
            return value

        text, encoded, agent, url = map(field, ("robots", "robots_base64", "agent", "url"))
        if text is not None and encoded is not None:
            raise Unanswerable('the line has both "robots" and "robots_base64"')
        if encoded is not None:
            try:
                text = base64.b64decode(encoded, validate=True)
            except ValueError as err:
                raise Unanswerable(f'"robots_base64" cannot be read: {err}') from None
        if text is None:
            text = before
        if text is None:
            raise Unanswerable('the line has no "robots", and the line before has none to go by')
        self.text = text
        if text == before:
            self.parser = parser
        if url is None:
            raise Unanswerable('the line has no "url"')
        return ("*" if agent is None else agent), url


def main(args):
    if args == ["--version"]:
        print(f"urllib.robotparser (Python {platform.python_version()})")
        return 0
    if args:
        print(f"{args[0]!r}: unexpected argument; questions come on standard input, "
              "and --version is the only flag", file=sys.stderr)
        return 2
    client = Client()
    try:
        for line in sys.stdin.buffer:
            print(json.dumps(client.reply(line)), flush=True)
    except BrokenPipeError:
        # Nobody reads the answers any more. Python would say so again when it
        # closes standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
