"""What can go wrong, told apart by who can mend it."""


class PenstockError(Exception):
    """Any failure that Penstock reports in its own words."""


class BadInput(PenstockError):
    """The scenario, a topology file, a folder or an option is wrong. The command exits with 2.

    The message stands alone: it names the file or key, what was found and what is allowed.
    """


class MissingData(BadInput):
    """A topology file is not there: the scenario needs data that is not part of Penstock."""


class RunFailed(PenstockError):
    """A simulation failed; the other runs are kept. The command exits with 1."""


class Interrupted(PenstockError):
    """The user stopped the experiment; finished runs are kept. The command exits with 130."""
