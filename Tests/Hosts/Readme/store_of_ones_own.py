"""The article "Stores and durability": a store in Python that keeps every law."""

# README: imports

# README: code

assert len(results) == 95 and all(result.holds for result in results), results
