//! Finds the clause that carries the claim of a text. Pages set it in bold.

use std::ops::Range;

use super::{Language, segment, words};

/// Allowed share of a text for the clause, and its minimum characters.
const SHARE: Range<f32> = 0.15..0.72;
const CLAUSE: usize = 10;

/// Prepositions and adverbs that open a sentence with a time, place, manner or beneficiary, in any language. Words
/// that open other sentences in another language are left out, such as German "an", which is an article in English.
const ADVERBIALS: &str = "in with for by at on to from through during under over within without across among beyond besides upon \
    throughout like based according thanks due now today recently historically usually often sometimes currently eventually \
    ideally ultimately finally using mit für bei im am in auf durch nach vor seit laut dank ohne unter über avec pour dans chez \
    par sur selon grâce sans sous depuis con para por en según gracias sin sobre desde per nel nella secondo grazie senza \
    com em no na segundo graças sem met voor bij op door volgens dankzij zonder с для в на по при благодаря без из \
    z dla w na według dzięki bez";
/// Openings of clauses that continue after the claim, separated by `|`.
const GOES_ON: &str = "but|so we|so they|so you|so it|so that|so the|and we|and they|and it|and you|and that|which|who|whose|where|because|while|since|as|if|when|whether|\
    including|such as|from|especially|even|instead|not|allowing|making|helping|giving|using|rather|with|without|however|although|\
    aber|doch|sondern|und wir|und sie|die|der|das|was|weil|während|da|wenn|ob|damit|um|denn|indem|mais|et nous|qui|que|car|\
    parce que|tandis|si|afin|ce qui|pero|sino|y nosotros|porque|mientras|para que|lo que|aunque|ma|e noi|perché|mentre|se|\
    affinché|mas|e nós|pois|enquanto|embora|o que|maar|en we|omdat|terwijl|zodat|waar|но|а|и мы|который|которая|которые|\
    потому что|чтобы|если|ale|który|która|które|ponieważ|żeby|लेकिन|ताकि|क्योंकि|जो|لكن|لأن|حتى|مما";
/// English words that open a clause.
const SUBJECTS: &str = "the a an i we you they he she it this that these those there here who what nobody nothing somebody someone \
    everybody everyone everything all most many some few each every both no one our your their its his her my please don make \
    let start try use ask keep take consider people users teams agencies";
/// Japanese endings, before a comma, of a clause that precedes the main one, separated by `|`.
const BEFORE: &str = "ので|から|ため|れば|たら|なら|とき|場合|時に|けれど|ても|ながら|には|では|よりも";
/// Openings of Chinese sentences whose first clause precedes the main one, and openings of clauses that continue,
/// separated by `|`.
const FRONT: &str = "如果|当|虽然|尽管|因为|由于|为了|在|随着|对于|除了|根据|通过|只要|即使";
const BEHIND: &str = "但|而|因此|所以|这样|因为|以便|从而|否则|不过|然而";

/// The effect of a punctuation mark on the clause before it.
enum Mark {
    /// None, because it separates list items.
    Inside,
    /// It ends an introductory clause. The main clause begins at this offset.
    Opens(usize),
    /// It ends the claim.
    Ends,
}

/// Returns the clause that carries the claim of `text`: its first main clause, without the introduction. Returns
/// `None` if the clause is nearly all of the text or very short, or can't be determined.
pub(crate) fn claim(text: &str, language: &Language) -> Option<Range<usize>> {
    let code = language.primary();
    let all = text.len().max(1) as f32;
    let fits = |range: &Range<usize>| {
        SHARE.contains(&(range.len() as f32 / all)) && text[range.clone()].chars().count() >= CLAUSE
    };
    let mut start = 0;
    for (at, c) in text.char_indices() {
        if at < start {
            continue;
        }
        let end = at + c.len_utf8();
        match mark(text, start, at, c, code) {
            Mark::Inside => {}
            Mark::Opens(next) => start = next,
            Mark::Ends if fits(&(start..end)) => return Some(start..end),
            // A word before the claim: "Great! …".
            Mark::Ends if ((end - start) as f32) < SHARE.start * all => {}
            Mark::Ends => return None,
        }
    }
    Some(start..text.len()).filter(|range| start > 0 && fits(range))
}

/// Returns the effect of the character at `at` on a clause that begins at `start`.
fn mark(text: &str, start: usize, at: usize, c: char, code: &str) -> Mark {
    let behind = &text[at + c.len_utf8()..];
    let next = behind.trim_start();
    let spaced = next.len() < behind.len();
    let any = |list: &str, holds: &dyn Fn(&str) -> bool| list.split('|').any(holds);
    let front = &text[start..at];
    let opens = || Mark::Opens(text.len() - next.len());
    match c {
        '.' if spaced && segment::ends_in_abbreviation(&text[start..=at], words::of(code)) => Mark::Inside,
        '.' | ';' | ':' | '!' | '?' | '؛' | '؟' | '।' if spaced => Mark::Ends,
        // Two dashes enclose an aside.
        '–' | '—' if spaced && front.ends_with(' ') && text.matches([c]).count() == 1 => Mark::Ends,
        '。' | '；' | '！' | '？' if !next.is_empty() => Mark::Ends,
        '、' if code == "ja" && start == 0 && any(BEFORE, &|word| front.ends_with(word)) => opens(),
        '，' if code == "zh" && start == 0 && any(FRONT, &|word| front.starts_with(word)) => opens(),
        '，' if code == "zh" && any(BEHIND, &|word| next.starts_with(word)) => Mark::Ends,
        ',' | '،' if spaced && start == 0 && is_adverbial(front) && (code != "en" || opens_clause(next)) => opens(),
        ',' | '،' if spaced && words::opens_with(GOES_ON, next) => Mark::Ends,
        _ => Mark::Inside,
    }
}

/// Whether English words open a clause rather than continue a list: "the crew", "nobody", "Ada".
fn opens_clause(next: &str) -> bool {
    let first = next.split(|c: char| !c.is_alphanumeric() && c != '’' && c != '\'').next().unwrap_or("");
    let stem = first.split(['’', '\'']).next().unwrap_or("").to_lowercase();
    first.starts_with(char::is_uppercase) || words::has(SUBJECTS, &stem) || words::is_imperative(next)
}

/// Whether words open a clause before the main one: "When it rains, …".
pub(crate) fn opens_subordinate(text: &str) -> bool {
    const OPENINGS: &str = "when|if|unless|whether|because|although|though|while|since|as|once|after|before|until|rather than|\
        instead of|given|despite|wenn|falls|weil|obwohl|da|als|nachdem|bevor|während|sobald|statt|anstatt|quand|si|lorsque|\
        puisque|bien que|parce que|comme|après|avant|plutôt que|au lieu de|cuando|aunque|porque|mientras|como|después|antes|\
        en lugar de|en vez de|quando|se|embora|depois|em vez de|mentre|sebbene|poiché|dopo|prima|invece di|wanneer|hoewel|\
        toen|omdat|nadat|voordat|in plaats van|когда|если|хотя|пока|όταν|αν|επειδή|ενώ";
    words::opens_with(OPENINGS, text.trim_start())
}

/// Whether words only introduce a main clause: "When it rains", "For the crews in the harbour".
pub(super) fn is_adverbial(front: &str) -> bool {
    let first = front.split_whitespace().next().unwrap_or("").to_lowercase();
    words::has(ADVERBIALS, &first) || opens_subordinate(front)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claimed<'t>(text: &'t str, code: &str) -> Option<&'t str> {
        claim(text, &Language::parse(code).unwrap()).map(|range| &text[range])
    }

    #[test]
    fn the_main_clause_carries_the_claim() {
        assert_eq!(
            claimed("When a new boat comes in, the crew counts over 60 ropes.", "en"),
            Some("the crew counts over 60 ropes.")
        );
        assert_eq!(
            claimed("The crew counts every rope in the shed, but nobody has ever asked them why they do it.", "en"),
            Some("The crew counts every rope in the shed,")
        );
        assert_eq!(
            claimed("Count the ropes every morning. Nobody else does it, and one may be missing.", "en"),
            Some("Count the ropes every morning.")
        );
        assert_eq!(
            claimed("The ropes are kept in the shed — it is dry, and nobody takes them there.", "en"),
            Some("The ropes are kept in the shed —")
        );
        assert_eq!(claimed("The ropes — all sixty of them — are kept in the old shed.", "en"), None);
        assert_eq!(claimed("Wenn es regnet, bleiben alle Boote im Hafen.", "de"), Some("bleiben alle Boote im Hafen."));
        assert_eq!(claimed("雨が降ったら、船はすべて港にとどまります。", "ja"), Some("船はすべて港にとどまります。"));
        assert_eq!(claimed("如果下雨，所有的船都要留在港口里。", "zh"), Some("所有的船都要留在港口里。"));
    }

    #[test]
    fn abbreviations_end_no_clause() {
        assert_eq!(
            claimed("In preparation for it, we talked with Dr. Berg about the ropes in the shed.", "en"),
            Some("we talked with Dr. Berg about the ropes in the shed.")
        );
        assert_eq!(claimed("The bulk of the work in the U.S. Harbour was about ropes.", "en"), None);
    }

    #[test]
    fn the_things_of_a_list_part_no_clauses() {
        assert_eq!(claimed("The crew keeps old, heavy ropes and hooks in the shed behind the pier.", "en"), None);
        assert_eq!(claimed("Ropes, hooks and lamps lie in the shed.", "en"), None);
        assert_eq!(claimed("Count the ropes.", "en"), None);
    }
}
