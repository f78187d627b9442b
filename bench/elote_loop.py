"""elote's Elo competitors on a file of games (white, rating, black, rating, result); prints µs per game.

Run by bench/period.py in an interpreter that has elote. Reading the file is not counted.
"""

import json
import sys
import time

from elote import EloCompetitor


def main(path: str) -> None:
    games, ratings = [], {}
    with open(path, encoding="ascii") as file:
        for line in file:
            white, white_rating, black, black_rating, result = line.split()
            ratings.setdefault(white, int(white_rating))
            ratings.setdefault(black, int(black_rating))
            games.append((white, black, result))
    begun = time.process_time()
    players = {name: EloCompetitor(initial_rating=rating) for name, rating in ratings.items()}
    for white, black, result in games:
        if result == "0":
            players[white].beat(players[black])
        elif result == "1":
            players[black].beat(players[white])
        else:
            players[white].tied(players[black])
    seconds = time.process_time() - begun
    print(json.dumps({"games": len(games), "us_per_game": round(1e6 * seconds / len(games), 2)}))


main(sys.argv[1])
