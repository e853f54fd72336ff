"""Writes many records like films, and texts to search for, from a file of films.

usage: LoadRecords.py FILMS COUNT FOLDER
"""
import json
import random
import sys

films = json.load(open(sys.argv[1], encoding="utf-8"))
count, folder = int(sys.argv[2]), sys.argv[3]
draw = random.Random(7)
words = [word for film in films for word in film["title"].split()]
plots = [word for film in films for word in film["plot"].rstrip(".").split()]
people = [name for film in films for name in film["cast"]]

with open(f"{folder}/films.ndjson", "w", encoding="utf-8") as file:
    titles = []
    for number in range(count):
        film = dict(draw.choice(films), objectID=f"f-{number}")
        film["title"] = " ".join(draw.choices(words, k=draw.randint(1, 4)))
        film["plot"] = " ".join(draw.choices(plots, k=16)) + "."
        film["cast"] = draw.choices(people, k=4)
        film["year"] = draw.randint(1920, 2023)
        titles.append(film["title"])
        file.write(json.dumps(film, ensure_ascii=False) + "\n")

with open(f"{folder}/queries.txt", "w", encoding="utf-8") as file:
    for _ in range(2_000):
        text = "".join(letter for letter in draw.choice(titles) if letter.isalnum() or letter == " ")
        if draw.random() < 0.5:
            text = text[: max(2, len(text) - draw.randint(1, 4))]
        if draw.random() < 0.2 and len(text) > 5:
            place = draw.randrange(1, len(text) - 1)
            text = text[:place] + draw.choice("aeiou") + text[place + 1:]
        file.write(text.strip() + "\n")

json.dump({
    "searchableAttributes": ["title", "directors", "cast", "plot"],
    "attributesForFaceting": ["genres", "year", "country"],
    "customRanking": ["desc(oscars)", "desc(year)"],
}, open(f"{folder}/settings.json", "w", encoding="utf-8"))
