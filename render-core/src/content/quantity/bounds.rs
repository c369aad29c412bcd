//! Words that bound a number: "up to 40 %", "mindestens drei", "50 o más".

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::super::words::is_unspaced;

/// How a number bounds what it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Bound {
    /// Exactly the number.
    Exact,
    /// Close to it, on either side.
    About,
    /// Close to it and below: "nearly".
    Nearly,
    /// At most the number.
    AtMost,
    /// At least the number.
    AtLeast,
}

use Bound::{About, AtLeast, AtMost, Nearly};

/// Words before a number, in lower case, separated by `|`.
const BEFORE: &[(Bound, &str)] = &[
    (
        About,
        "about|around|roughly|approximately|approx|some|circa|ca|c|~|≈|etwa|ungefähr|rund|circa|zirka|gut und gern|environ|à peu près|\
         autour de|quelque|unos|unas|alrededor de|aproximadamente|cerca de|en torno a|circa|intorno a|all'incirca|attorno a|uns|umas|por \
         volta de|à volta de|около|примерно|порядка|ongeveer|rond|około|mniej więcej|w przybliżeniu|mniej-więcej|نحو|حوالي|قرابة|زهاء|ما يقارب|ما \
         يقرب من|تقارب|yaklaşık|लगभग|करीब|約|およそ|ほぼ|大约|大約|约|約莫|差不多|將近",
    ),
    (
        Nearly,
        "nearly|almost|close to|just under|just below|just short of|fast|beinahe|knapp|annähernd|nahezu|presque|près de|à peine moins \
         de|casi|cerca de|quasi|poco meno di|quase|perto de|почти|bijna|haast|prawie|blisko|niemal|niespełna|تقريبا|neredeyse|近く|\
         接近|将近|近",
    ),
    (
        AtMost,
        "up to|at most|no more than|not more than|a maximum of|maximum|max|as many as|as much as|less than|fewer than|under|below|within|\
         lower than|bis zu|bis|höchstens|maximal|nicht mehr als|weniger als|unter|binnen|innerhalb von|jusqu'à|jusqu’à|au plus|au maximum|\
         maximum|pas plus de|moins de|moins d'|moins d’|en dessous de|sous|hasta un|hasta|como máximo|a lo sumo|no más de|menos de|\
         por debajo de|fino a|fino al|al massimo|non più di|meno di|sotto|entro|até|no máximo|não mais de|não mais do que|menos de|\
         abaixo de|em menos de|до|не более|не больше|менее|меньше|максимум|tot|maximaal|hooguit|hoogstens|minder dan|onder|do|nawet o|\
         nawet do|nawet|najwyżej|co najwyżej|maksymalnie|nie więcej niż|mniej niż|poniżej|ما يصل إلى|يصل إلى|تصل إلى|حتى|أقصاه|أقصاها|لا يتجاوز|لا \
         تتجاوز|لا يزيد على|لا يزيد عن|أقل من|دون|ما دون|بحد أقصى|كحد أقصى|en fazla|en çok|अधिकतम|最大|上限|最高|最多|最长|最長|至多|不超过|不到|少于|不足|低于|未满",
    ),
    (
        AtLeast,
        "more than|over|above|at least|upwards of|no less than|no fewer than|not less than|a minimum of|minimum|beyond|exceeds|exceeding|\
         exceeded|topped|tops|mehr als|über|mindestens|wenigstens|nicht weniger als|gut|ab|plus de|plus d'|plus d’|au moins|dépasse|\
         dépassent|au-delà de|minimum|más de|al menos|por lo menos|como mínimo|supera los|supera las|supera|superan|superó|mínimo|no \
         menos de|più di|oltre|almeno|minimo|supera i|supera|non meno di|mais de|mais do que|pelo menos|ao menos|no mínimo|acima de|\
         supera|ultrapassa|более|больше|свыше|не менее|не меньше|как минимум|meer dan|ruim|minstens|ten minste|boven|minimaal|ponad|\
         więcej niż|co najmniej|przynajmniej|minimum|powyżej|nie mniej niż|أكثر من|ما يزيد على|ما يزيد عن|يزيد على|تزيد على|على الأقل|لا يقل عن|لا \
         تقل عن|فوق|يتجاوز|تتجاوز|تجاوز|en az|कम से कम|少なくとも|最低|最少|至少|超过|超過|逾|高于|不少于|多于|起码",
    ),
];

/// Words after a number and its unit.
const BEHIND: &[(Bound, &str)] = &[
    (About, "or so|oder so|ou à peu près|o así|ほど|くらい|ぐらい|前後|程度|左右|上下|تقريبا"),
    (Nearly, "近く|弱"),
    (
        AtMost,
        "or less|or fewer|at most|at the most|maximum|max|or under|oder weniger|höchstens|maximal|ou moins|maximum|au maximum|au plus|tout au plus|au max|al máximo|\
         o menos|como máximo|máximo|o meno|al massimo|massimo|ou menos|no máximo|of minder|lub mniej|maksymalnie|كحد أقصى|على الأكثر|\
         以内|内|之内|以下|未満|足らず|まで|以內|封顶",
    ),
    (
        AtLeast,
        "or more|at least|and more|and over|or over|plus|+|oder mehr|mindestens|ou plus|au moins|au minimum|minimum|o más|como mínimo|\
         al menos|o più|almeno|minimo|ou mais|pelo menos|no mínimo|of meer|lub więcej|minimum|على الأقل|أو أكثر|以上|超|超え|を超え|超える|多|余|余り|強|を上回",
    ),
];

/// Bytes before a number that are searched.
const REACH: usize = 60;
/// Maximum words between a bound and its number, and their maximum length: an article, a currency.
const BETWEEN: usize = 2;
const SHORT: usize = 3;

/// Returns the bound of a number between `before` and `behind`, both in lower case.
pub fn bound(before: &str, behind: &str) -> Bound {
    let from = before.ceil_char_boundary(before.len().saturating_sub(REACH));
    let near = before[from..].trim_end();
    let mut in_front = ended(near);
    let mut rest = near;
    for _ in 0..BETWEEN {
        // "up to a 40 %", "hasta en un 40 %", "over €40".
        let Some((shorter, last)) = rest.rsplit_once(char::is_whitespace) else { break };
        if in_front.is_some() || last.chars().count() > SHORT {
            break;
        }
        rest = shorter.trim_end();
        in_front = ended(rest);
    }
    let behind = behind.trim_start();
    // A counter may come between: 二十五人以上.
    let counters = behind.chars().take(2).take_while(|c| is_unspaced(*c)).map(char::len_utf8);
    let starts = counters.scan(0, |at, length| {
        *at += length;
        Some(*at)
    });
    in_front.or_else(|| std::iter::once(0).chain(starts).find_map(|at| begun(&behind[at..]))).unwrap_or(Bound::Exact)
}

/// Returns the longest bound that ends a text.
fn ended(text: &str) -> Option<Bound> {
    static BY_LAST: LazyLock<Index> = LazyLock::new(|| indexed(BEFORE, |name| name.chars().next_back()));
    best(BY_LAST.get(&text.chars().next_back()?)?, |name| {
        let Some(rest) = text.strip_suffix(name) else { return false };
        let joined = rest.chars().next_back().is_some_and(char::is_alphanumeric);
        // A bound in a script without spaces, or one that starts with a sign, needs no word boundary before it.
        !joined || name.chars().next().is_some_and(|c| is_unspaced(c) || !c.is_alphanumeric())
    })
}

/// Returns the longest bound that begins a text.
fn begun(text: &str) -> Option<Bound> {
    static BY_FIRST: LazyLock<Index> = LazyLock::new(|| indexed(BEHIND, |name| name.chars().next()));
    best(BY_FIRST.get(&text.chars().next()?)?, |name| {
        let Some(rest) = text.strip_prefix(name) else { return false };
        let joined = rest.chars().next().is_some_and(char::is_alphanumeric);
        !joined || name.chars().next_back().is_some_and(|c| is_unspaced(c) || !c.is_alphanumeric())
    })
}

fn best(named: &[(Bound, &str)], is: impl Fn(&str) -> bool) -> Option<Bound> {
    named.iter().filter(|(_, name)| is(name)).max_by_key(|(_, name)| name.len()).map(|(bound, _)| *bound)
}

/// Words with their bounds, indexed by one of their letters.
type Index = HashMap<char, Vec<(Bound, &'static str)>>;

fn indexed(table: &'static [(Bound, &'static str)], key: impl Fn(&str) -> Option<char>) -> Index {
    let mut out = Index::new();
    for (bound, names) in table {
        for name in names.split('|').map(str::trim) {
            out.entry(key(name).unwrap_or_default()).or_default().push((*bound, name));
        }
    }
    out
}

impl Bound {
    /// Whether a page may use the bound `self` for a number that the source gives with the bound `source`. An
    /// approximation may be called one, and a bound must keep its direction.
    pub fn follows(self, source: Self) -> bool {
        match (self, source) {
            (_, Bound::Exact) | (About | Nearly, _) => self != Nearly || source != AtLeast,
            (Bound::Exact, source) => source == About,
            (AtMost, source) => matches!(source, AtMost | Nearly),
            (AtLeast, source) => source == AtLeast,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_stand_in_front_and_behind() {
        for (before, behind, is) in [
            ("covers up to ", " % of it", AtMost),
            ("la espera hasta en un ", " %", AtMost),
            ("in less than ", " minutes", AtMost),
            ("knapp ", " leute", Nearly),
            ("jusqu’à ", " euros", AtMost),
            ("", "人以上が", AtLeast),
            ("超过", "人", AtLeast),
            ("at ", " people or more", Bound::Exact),
            ("", " or more", AtLeast),
            ("discover ", " ways", Bound::Exact),
            ("for over €", " a year", AtLeast),
        ] {
            assert_eq!(bound(before, behind), is, "{before}|{behind}");
        }
    }

    #[test]
    fn bounds_are_kept_on_their_side() {
        assert!(AtMost.follows(AtMost) && !AtLeast.follows(AtMost) && !Bound::Exact.follows(AtMost));
        assert!(Bound::Exact.follows(Bound::Exact) && About.follows(Bound::Exact) && Bound::Exact.follows(About));
        assert!(!AtLeast.follows(Nearly) && !Bound::Exact.follows(AtLeast));
    }
}
