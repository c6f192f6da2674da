"""Names that mean the same: without case, accents and signs, and in several languages."""

from __future__ import annotations

import unicodedata

_CONCEPTS: tuple[frozenset[str], ...] = tuple(
    frozenset(words.split())
    for words in (
        "age alter alteryears ageyears edad eta leeftijd alder idade",
        "sex gender geschlecht sexe sexo sesso geslacht kon",
        "weight gewicht poids peso bodyweight wt vikt",
        "height groesse grosse koerpergroesse korpergrosse taille altura estatura altezza lengte bodyheight",
        "smoking smoker rauchen raucher tabac fumeur tabaquismo fumador fumo roken tobacco smokes",
        "income einkommen revenu ingresos reddito inkomen salary",
        "education bildung ausbildung schulbildung educacion istruzione opleiding schooling",
        "bloodpressure blutdruck tensionarterielle presionarterial pressionearteriosa bloeddruk pressure",
        "systolic systolicbloodpressure sbp systolischerblutdruck systblutdruck rrsys",
        "diastolic diastolicbloodpressure dbp diastolischerblutdruck diastblutdruck rrdia",
        "cholesterol cholesterin chol colesterol colesterolo totalcholesterol",
        "diabetes zuckerkrankheit diabete diabetesmellitus dm",
        "stroke schlaganfall avc ictus beroerte",
        "exercise sport bewegung exerciciofisico ejercicio attivitafisica physicalactivity",
        "alcohol alkohol alcool alcol drinking",
        "bmi bodymassindex imc",
        "glucose glukose blutzucker glycemie glucosa bloodsugar",
        "treatment therapy behandlung therapie traitement tratamiento terapia treated",
        "death died tod verstorben deces muerte morto mortality deceased",
    )
)


def plain(text: str) -> str:
    """A name without case, accents and signs.

    >>> plain("Körper_Größe (cm)"), plain("AGE")
    ('korpergrossecm', 'age')
    """
    folded = unicodedata.normalize("NFKD", text.casefold().replace("ß", "ss"))
    return "".join(sign for sign in folded if sign.isalnum())


def concept(text: str) -> frozenset[str] | None:
    """The words that mean the same as a name, in several languages; ``None`` if it is not known."""
    words = {plain(text), plain(text.casefold().replace("ä", "ae").replace("ö", "oe").replace("ü", "ue"))}
    return next((one for one in _CONCEPTS if one & words), None)
