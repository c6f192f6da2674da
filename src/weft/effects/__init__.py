"""How large an effect is, over every structure that is left.

================ =====================================================================================================
module           holds
================ =====================================================================================================
:mod:`.identify` how an effect can be known in one structure: by adjustment in a study, composed through others, or not
:mod:`.estimate` regressions with robust errors, and estimates that can be multiplied, added and pooled
:mod:`.answer`   all structures together: the cases, their shares and confidence, one sentence
:mod:`.again`    the tables behind a result, read again and compared with what they were
================ =====================================================================================================
"""

from weft.effects.answer import Case, Effects, Range, effects_of
from weft.effects.estimate import EffectError
from weft.effects.identify import Setting

__all__ = ["Case", "EffectError", "Effects", "Range", "Setting", "effects_of"]
