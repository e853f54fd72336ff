"""Runs SearchAsYouType in a terminal, types into it, and writes its screen as SVG.

usage: TerminalPicture.py PROGRAM > FILE
"""
import fcntl
import html
import os
import pty
import select
import struct
import subprocess
import sys
import termios

import pyte

COLUMNS, ROWS = 92, 18
KEYS = ["g", "o", "d", "f", "a", "t", "h", "r"]
COLORS = {
    "black": "#23262e", "red": "#ff7b72", "green": "#7ee787", "brown": "#e8b64c",
    "blue": "#79c0ff", "magenta": "#d2a8ff", "cyan": "#76e3ea", "white": "#e6e3da",
}
BACK, TEXT = "#15181e", "#d8d5cc"
WIDTH, HEIGHT = 8.43, 18


def screen_of(program):
    side, other = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    process = subprocess.Popen(
        [program], stdin=other, stdout=other, stderr=subprocess.DEVNULL, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)

    def read(seconds):
        while select.select([side], [], [], seconds)[0]:
            stream.feed(os.read(side, 65536))

    read(3)
    for key in KEYS:
        os.write(side, key.encode())
        read(0.3)
    read(1)
    process.terminate()
    process.wait(10)
    return screen


def color(name, default):
    if name == "default":
        return default
    return COLORS.get(name.removeprefix("bright"), f"#{name}" if len(name) == 6 else default)


def svg(screen):
    width, height = COLUMNS * WIDTH + 32, ROWS * HEIGHT + 30
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        'role="img" aria-label="A search on a terminal">',
        f'<rect width="100%" height="100%" rx="10" fill="{BACK}"/>',
        '<g font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace" '
        'font-size="14">',
    ]
    for row in range(ROWS):
        column = 0
        while column < COLUMNS:
            cell = screen.buffer[row][column]
            style = (cell.fg, cell.bg, cell.bold, cell.reverse)
            end = column
            while end < COLUMNS:
                next_cell = screen.buffer[row][end]
                if (next_cell.fg, next_cell.bg, next_cell.bold, next_cell.reverse) != style:
                    break
                end += 1
            text = "".join(screen.buffer[row][place].data for place in range(column, end))
            front, back = color(cell.fg, TEXT), color(cell.bg, BACK)
            if cell.reverse:
                front, back = back, front
            x, y = 16 + column * WIDTH, 15 + row * HEIGHT
            if back != BACK:
                lines.append(
                    f'<rect x="{x:.1f}" y="{y}" width="{(end - column) * WIDTH:.1f}" '
                    f'height="{HEIGHT}" fill="{back}"/>')
            shown = text.strip()
            if shown:
                x += (len(text) - len(text.lstrip())) * WIDTH
                weight = ' font-weight="700"' if cell.bold else ""
                length = f' textLength="{len(shown) * WIDTH:.1f}"'
                # Spaces in a row would be one.
                shown = html.escape(shown).replace(" ", "\u00a0")
                lines.append(
                    f'<text x="{x:.1f}" y="{y + 13}" fill="{front}"{weight}{length}>{shown}</text>')
            column = end
    lines += ["</g>", "</svg>"]
    return "\n".join(lines)


print(svg(screen_of(sys.argv[1])))
