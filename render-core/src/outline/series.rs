//! A sentence that counts things up: "We tested the boats, the sails, and the ropes." Its page shows them one per row.

use super::tone::Tone;
use super::wording::{self, CLAIM};
use super::{Copy, ItemCopy, PageKind, PageOutline};
use crate::content::{Sourced, Span, capitalised, enclosed, opens_subordinate, segment, words};

/// Number of things in a series.
const COUNT: std::ops::RangeInclusive<usize> = 3..=6;
/// Fewest things after a colon.
const LEAST_AFTER_COLON: usize = 2;
/// Most characters of the words before the things, and of one of the things.
const LEAD: usize = 170;
const THING: usize = 110;
/// Most bytes of a text that is searched for a series. The time of a search grows with the square of the length.
const LONGEST: usize = 1200;
/// Number of rows from which a page has no room for a note.
const NOTED: usize = 5;
/// Fewest words before the things.
const LEADING: usize = 3;
/// Most words from "such" to "as".
const SUCH: usize = 4;
/// Most words of a thing that no other sign marks as one.
const NAME: usize = 6;
/// How many times longer than the shortest thing the longest may be.
const UNEVEN: usize = 6;

/// Last things of a series that name nothing.
const MORE: &str = "more others beyond mehr weitere plus más mais altro meer";
/// Function words within a name, in any language.
const WITHIN: &str =
    "of and the a an & de del des du da do das dos di della und et y e en van der den le la les el los las for";

/// The words that mark a series in a language.
struct Marks {
    code: &'static str,
    /// Words before the last thing, separated by white space.
    joints: &'static str,
    /// Words before the first thing, separated by `|`.
    introducing: &'static str,
    /// Prepositions that a thing can follow, separated by white space.
    prepositions: &'static str,
    /// Articles and possessives that open a thing, separated by white space.
    articles: &'static str,
}

const MARKS: [Marks; 7] = [
    Marks {
        code: "en",
        joints: "and or",
        introducing: "such as|including|includes|include|like|e.g.|namely",
        prepositions: "with from by for at in on through across of about into between as against via",
        articles: "a an the our your their its his her my some any more new",
    },
    Marks {
        code: "de",
        joints: "und oder sowie",
        introducing: "wie|wie etwa|darunter|einschließlich|nämlich|beispielsweise",
        prepositions: "mit von für bei in im auf an am über aus gegen zwischen durch",
        articles: "ein eine einen einem einer der die das den dem des unser unsere ihr ihre sein seine",
    },
    Marks {
        code: "fr",
        joints: "et ou",
        introducing: "comme|tels que|telles que|tel que|telle que|notamment|y compris|à savoir",
        prepositions: "avec de pour dans sur par en entre contre",
        articles: "un une des le la les du notre nos votre vos leur leurs son sa ses",
    },
    Marks {
        code: "es",
        joints: "y e o u",
        introducing: "como|tales como|incluyendo|incluidos|incluidas|incluye|incluyen|por ejemplo",
        prepositions: "con de por para en sobre entre contra",
        articles: "un una unos unas el la los las nuestro nuestra nuestros nuestras su sus tu tus",
    },
    Marks {
        code: "pt",
        joints: "e ou",
        introducing: "como|tais como|incluindo|inclui|incluem|por exemplo",
        prepositions: "com de por para em sobre entre contra",
        articles: "um uma uns umas o a os as nosso nossa nossos nossas seu sua seus suas",
    },
    Marks {
        code: "it",
        joints: "e ed o",
        introducing: "come|tra cui|compresi|comprese|ad esempio|quali",
        prepositions: "con di per da in su tra fra contro",
        articles: "un uno una il lo la i gli le nostro nostra nostri nostre suo sua suoi sue",
    },
    Marks {
        code: "nl",
        joints: "en of",
        introducing: "zoals|waaronder|inclusief|bijvoorbeeld|namelijk",
        prepositions: "met van voor bij in op aan over uit tegen tussen door",
        articles: "een de het ons onze hun uw jouw zijn haar",
    },
];

/// The words before the things of a series, and the things.
#[derive(Debug, PartialEq, Eq)]
struct Series<'t> {
    lead: &'t str,
    things: Vec<&'t str>,
}

/// Returns the page with the things of its text in rows; the page itself if its text isn't a series.
pub(super) fn in_rows(page: PageOutline, tone: &Tone) -> PageOutline {
    let plain = page.kind == PageKind::Point && page.items.is_empty() && page.number.is_none();
    if !plain || page.figure.is_some() || page.attribution.is_some() {
        return page;
    }
    rows(&page, tone).unwrap_or(page)
}

fn rows(page: &PageOutline, tone: &Tone) -> Option<PageOutline> {
    let said = page.body.as_ref().or(page.title.as_ref())?;
    let (before, items) = things(said.wordings.first()?, said.span, tone)?;
    let code = tone.language.primary();
    let one = segment::sentences(&before, words::of(code)).len() == 1;
    let is_claim = one && before.chars().count() <= CLAIM + CLAIM / 3;
    let lead = |colon: &str| wording::copy(vec![format!("{before}{colon}")], said.span);
    let headline = page.title.as_ref().filter(|_| page.body.is_some());
    let (title, body) = match headline {
        Some(title) => (Some(title.clone()), lead(":")),
        // A headline is no sentence that waits for its end.
        None if is_claim && !hangs(&before, code) => (lead(""), None),
        None if is_claim => (lead(":"), None),
        None => (None, lead(":")),
    };
    let note = page.note.clone().filter(|_| headline.is_some() && items.len() < NOTED);
    Some(PageOutline { kind: PageKind::List, title, body, items, note, ..page.clone() })
}

/// Returns the lead and the rows of a sentence that is a series.
pub(super) fn of(sentence: &Sourced, tone: &Tone) -> Option<(Copy, Vec<ItemCopy>)> {
    let (lead, items) = things(&sentence.text, Some(sentence.span), tone)?;
    Some((wording::copy(vec![format!("{lead}:")], Some(sentence.span))?, items))
}

/// Returns the words before the things of a text, and a row for each thing.
fn things(text: &str, span: Option<Span>, tone: &Tone) -> Option<(String, Vec<ItemCopy>)> {
    let code = tone.language.primary();
    let marks = MARKS.iter().find(|marks| marks.code == code).filter(|_| !tone.exact)?;
    let found = series(text, marks)?;
    let item = |thing: &&str| Some(ItemCopy::new(wording::copy(vec![capitalised(thing)], span)?, None));
    let items = found.things.iter().map(item).collect::<Option<_>>()?;
    Some((found.lead.to_owned(), items))
}

/// Returns whether words end in a function word, so that they need the words after them.
fn hangs(text: &str, code: &str) -> bool {
    let last = text.rsplit(' ').next().unwrap_or("").to_lowercase();
    let introduces =
        |marks: &Marks| marks.introducing.split('|').any(|phrase| phrase.rsplit(' ').next() == Some(&last));
    words::has(words::of(code).function, &last) || MARKS.iter().any(|marks| marks.code == code && introduces(marks))
}

/// Returns the series at the end of a text.
fn series<'t>(text: &'t str, marks: &Marks) -> Option<Series<'t>> {
    let lexicon = words::of(marks.code);
    let text = text.trim();
    if text.len() > LONGEST {
        return None;
    }
    let last = segment::sentences(text, lexicon).pop()?;
    let sentence = &text[last.clone()];
    if sentence.trim_end().ends_with(['?', ':', '”', '"', '…', ')']) {
        return None;
    }
    let inside = enclosed(text, true);
    let open = |at: usize| inside.iter().any(|range| range.contains(&at));
    let parts = parts(text, last.clone(), &open, marks)?;
    // Commas before the series separate nothing: "In spring, we need …".
    (0..parts.len() - 1).find_map(|skipped| {
        let front = last.start..parts[skipped].end;
        let rest: Vec<&str> = parts[skipped + 1..].iter().map(|part| trimmed(&text[part.clone()])).collect();
        // "After the storm, we count …": the first comma ends the words before the clause.
        let opens_late = skipped == 0 && opens_before_clause(&text[front.clone()], marks);
        let (start, sign) = first_thing(&text[front.clone()], &rest, marks).filter(|_| !opens_late)?;
        let at = front.start + start;
        if open(at) || at <= skipped.checked_sub(1).map_or(0, |i| parts[i].end) {
            return None;
        }
        let lead = text[..at].trim().trim_end_matches([':', ',', '–', '—', ' ']);
        let own = &text[last.start..at];
        let denied = segment::words_of(own).iter().any(|word| words::has(lexicon.negation, word));
        let mut things: Vec<&str> = std::iter::once(trimmed(&text[at..front.end])).chain(rest).collect();
        // "… and more" names nothing.
        things.pop_if(|last| words::has(MORE, last));
        let least = if sign == Sign::Colon { LEAST_AFTER_COLON } else { *COUNT.start() };
        let counted = (least..=*COUNT.end()).contains(&things.len());
        let leads = segment::count_words(own) >= LEADING && lead.chars().count() <= LEAD;
        (counted && leads && !denied && alike(&things, sign, marks)).then_some(Series { lead, things })
    })
}

/// Returns whether a sentence opens with words that stand before its main clause.
fn opens_before_clause(front: &str, marks: &Marks) -> bool {
    let first = front.trim_start().split(' ').next().unwrap_or("").to_lowercase();
    let gerund = is_gerund(&first, marks);
    opens_subordinate(front.trim_start()) || words::has(marks.prepositions, &first) || first == "to" || gerund
}

/// Returns whether an English word ends like a participle.
fn is_gerund(word: &str, marks: &Marks) -> bool {
    marks.code == "en" && word.len() > "thing".len() && word.ends_with("ing")
}

/// Returns the ranges between the separators of a sentence. The first one contains the words before the series; the
/// last one is behind "and".
fn parts(
    text: &str,
    sentence: std::ops::Range<usize>,
    open: &impl Fn(usize) -> bool,
    marks: &Marks,
) -> Option<Vec<std::ops::Range<usize>>> {
    let between = |mark: char| -> Vec<usize> {
        let own = text[sentence.clone()].char_indices().map(|(at, c)| (sentence.start + at, c));
        own.filter(|(at, c)| *c == mark && text[at + 1..].starts_with(' ') && !open(*at)).map(|(at, _)| at).collect()
    };
    let semicolons = between(';');
    let cuts = if semicolons.len() >= 2 { semicolons } else { between(',') };
    let mut starts = vec![sentence.start];
    starts.extend(cuts.iter().map(|at| at + 1));
    let ends = cuts.iter().copied().chain([sentence.end]);
    let mut parts: Vec<std::ops::Range<usize>> = starts.into_iter().zip(ends).map(|(a, b)| a..b).collect();
    let joint = |part: &std::ops::Range<usize>| {
        let own = text[part.clone()].trim_start();
        let word = own.split(' ').next().unwrap_or("");
        words::has(marks.joints, word).then(|| part.end - own.len() + word.len())
    };
    let joined: Vec<usize> = (1..parts.len()).filter(|i| joint(&parts[*i]).is_some()).collect();
    match joined[..] {
        // "the boats, the sails and the ropes"
        [] => {
            let last = parts.last()?.clone();
            let is_joint = |(at, word): &(usize, &str)| words::has(marks.joints, word) && !open(last.start + at);
            let own = &text[last.clone()];
            let spaced = own.match_indices(' ').map(|(at, _)| at);
            let found: Vec<(usize, &str)> =
                spaced.map(|at| (at, own[at + 1..].split(' ').next().unwrap_or(""))).filter(is_joint).collect();
            let [(at, word)] = found[..] else { return None };
            parts.pop();
            parts.push(last.start..last.start + at);
            parts.push(last.start + at + 1 + word.len()..last.end);
        }
        // The things after the first "and" belong to its own thing.
        [first, ..] => {
            let start = joint(&parts[first])?;
            parts.truncate(first);
            parts.push(start..sentence.end);
        }
    }
    Some(parts)
}

/// How the first thing of a series is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// A colon stands before it.
    Colon,
    /// "such as" stands before it.
    Introduced,
    /// All things open alike: "to see, to hear, and to smell".
    Alike,
    /// It is a name behind a preposition.
    Named,
}

/// Returns where the first thing begins in the words before the first separator, and its sign.
fn first_thing(front: &str, rest: &[&str], marks: &Marks) -> Option<(usize, Sign)> {
    if let Some(at) = front.rfind(": ") {
        return Some((at + 2, Sign::Colon));
    }
    let starts: Vec<usize> = (0..front.len()).filter(|at| starts_word(front, *at)).collect();
    let word_at = |at: usize| front[at..].split([' ', ',']).next().unwrap_or("");
    let introduced = starts.iter().rev().find_map(|at| {
        let phrase = marks.introducing.split('|').filter(|phrase| front[*at..].starts_with(&format!("{phrase} ")));
        phrase.map(|phrase| at + phrase.len() + 1).max()
    });
    if let Some(at) = introduced.or_else(|| such_as(front, marks)) {
        return Some((at, Sign::Introduced));
    }
    let first = |thing: &&str| thing.split(' ').next().unwrap_or("").to_owned();
    let opening: Vec<String> = rest.iter().map(first).collect();
    let lexicon = words::of(marks.code);
    let opener = opening.first()?;
    if words::has(lexicon.function, opener) && opening.iter().all(|word| word == opener) {
        let same = |at: &&usize| word_at(**at) == opener;
        // "the plan at the time, the rules, and the people": the first article opens the first thing.
        let article = words::has(marks.articles, opener);
        let at = if article { starts.iter().find(same) } else { starts.iter().rev().find(same) };
        return Some((*at?, Sign::Alike));
    }
    let gerund = |word: &str| is_gerund(word, marks);
    let after = |at: usize| {
        let before = front[..at].trim_end().rsplit(' ').next().unwrap_or("").to_lowercase();
        words::has(marks.prepositions, &before)
    };
    if opening.iter().all(|word| gerund(word)) {
        let at = starts.iter().find(|at| gerund(word_at(**at)) && after(**at))?;
        return Some((*at, Sign::Alike));
    }
    // The first thing is about as long as the others: it may contain a preposition itself.
    let mean = rest.iter().map(|thing| segment::count_words(thing)).sum::<usize>() / rest.len();
    let off = |at: &usize| segment::count_words(&front[*at..]).abs_diff(mean);
    let at = starts.iter().rev().copied().filter(|at| after(*at)).min_by_key(off)?;
    Some((at, Sign::Named))
}

/// Returns where the thing behind "such risks as" begins.
fn such_as(front: &str, marks: &Marks) -> Option<usize> {
    let such = front.rfind("such ").filter(|_| marks.code == "en")?;
    let behind = &front[such..];
    let at = behind.find(" as ")?;
    (segment::count_words(&behind[..at]) <= SUCH).then_some(such + at + " as ".len())
}

/// Returns whether a word begins at a byte.
fn starts_word(text: &str, at: usize) -> bool {
    text.is_char_boundary(at) && (at == 0 || text[..at].ends_with(' ')) && !text[at..].starts_with(' ')
}

/// Returns whether things can stand in rows beside each other.
fn alike(things: &[&str], sign: Sign, marks: &Marks) -> bool {
    let lexicon = words::of(marks.code);
    let length = |thing: &&str| thing.chars().count();
    let (longest, shortest) =
        (things.iter().map(length).max().unwrap_or(0), things.iter().map(length).min().unwrap_or(0));
    let words_of = |thing: &&str| segment::count_words(thing);
    let opens = |thing: &&str| thing.split([' ', '’', '\'']).next().unwrap_or("").to_lowercase();
    // "which", "but", "so": the words after the comma are no thing.
    let named = |thing: &&str| {
        let word = opens(thing);
        words::has(marks.articles, &word) || !words::has(lexicon.function, &word)
    };
    // "what to build, how to build it, and who builds it", but not "phase one: the plan, where ideas are born, …".
    let clauses = things.iter().filter(|thing| !named(thing)).count();
    let named_or_asks = |thing: &&str| !thing.contains(". ") && (clauses == 0 || clauses == things.len());
    let telling = 2 * things.iter().filter(|thing| words_of(thing) > 1).count() >= things.len();
    let short = |most: usize| things.iter().all(|thing| words_of(thing) <= most);
    let fits = shortest > 1 && longest <= THING;
    let even = longest <= UNEVEN * shortest;
    let pair = things.len() > LEAST_AFTER_COLON || opens(&things[0]) == opens(&things[1]) && telling;
    let introduces = |thing: &&str| marks.introducing.split('|').any(|phrase| words::opens_with(phrase, thing));
    let bare = |thing: &&str| {
        let own = segment::words_of(thing);
        let joined = |word: &String| {
            !words::has(lexicon.function, word) || words::has(WITHIN, word) || words::has(marks.prepositions, word)
        };
        let past = marks.code == "en" && own.first().is_some_and(|word| word.ends_with("ed"));
        own.iter().skip(1).all(joined) && !past
    };
    // "a list of boats, explains the tides, and shows the way"
    let acts = |thing: &&str| {
        let own = segment::words_of(thing);
        let verb = marks.code == "en" && own.first().is_some_and(|word| word.ends_with('s') && !word.ends_with("ss"));
        let object = |word: &String| words::has(marks.articles, word) || words::has("how what why where to", word);
        verb && own.get(1).is_some_and(object)
    };
    let participles = things.iter().filter(|thing| is_gerund(&opens(thing), marks)).count();
    let mixed = participles > 0 && participles < things.len();
    let whole = !mixed && !things.iter().any(introduces);
    let nouns = || things.iter().all(named) && !things.iter().any(acts);
    fits && whole
        && match sign {
            Sign::Colon => pair && (short(1) || even) && things.iter().all(named_or_asks),
            Sign::Introduced => telling && even && nouns(),
            Sign::Alike if words::has(marks.articles, &opens(&things[0])) => short(NAME + 2) && even,
            Sign::Alike => things.iter().all(|thing| words_of(thing) > 1) && even,
            Sign::Named => telling && even && short(NAME) && nouns() && things.iter().all(bare),
        }
}

/// Removes the punctuation around a thing.
fn trimmed(thing: &str) -> &str {
    let bare = thing.trim().trim_end_matches(['.', ',', ';', '!', ' ']);
    bare.strip_suffix(", etc").or_else(|| bare.strip_suffix(" etc")).unwrap_or(bare)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Language;

    fn found(text: &str, code: &str) -> Option<(String, Vec<String>)> {
        let marks = MARKS.iter().find(|marks| marks.code == code).unwrap();
        series(text, marks).map(|s| (s.lead.to_owned(), s.things.iter().map(|t| (*t).to_owned()).collect()))
    }

    fn some(lead: &str, things: &[&str]) -> Option<(String, Vec<String>)> {
        Some((lead.to_owned(), things.iter().map(|t| (*t).to_owned()).collect()))
    }

    #[test]
    fn things_stand_behind_a_sign() {
        assert_eq!(
            found("The boats are old. A trip has four parts: load, row, fish, and return.", "en"),
            some("The boats are old. A trip has four parts", &["load", "row", "fish", "return"])
        );
        assert_eq!(
            found("A bad plan exposes you to such risks as storms at night, broken ropes, and a late return.", "en"),
            some("A bad plan exposes you to such risks as", &["storms at night", "broken ropes", "a late return"])
        );
        assert_eq!(
            found("The crew looks for risks such as storms at night, broken ropes, and a late return home.", "en"),
            some("The crew looks for risks such as", &["storms at night", "broken ropes", "a late return home"])
        );
        assert_eq!(
            found("We give crews the time to see what is broken, to mend the boats, and to test them at sea.", "en"),
            some("We give crews the time", &["to see what is broken", "to mend the boats", "to test them at sea"])
        );
        assert_eq!(
            found("Die Mannschaft sorgt für neue Boote, warme Jacken und ein Dach aus Holz.", "de"),
            some("Die Mannschaft sorgt für", &["neue Boote", "warme Jacken", "ein Dach aus Holz"])
        );
        assert_eq!(
            found("There are two ways to count: a list on paper and a list for the phones of the crew.", "en"),
            some("There are two ways to count", &["a list on paper", "a list for the phones of the crew"])
        );
        assert_eq!(
            found(
                "We made 44 trips, including mending the roof of the shed, painting boats, and moving many ropes, hooks, \
                 lamps, and sails.",
                "en"
            ),
            some(
                "We made 44 trips, including",
                &["mending the roof of the shed", "painting boats", "moving many ropes, hooks, lamps, and sails"]
            )
        );
    }

    #[test]
    fn an_endless_sentence_is_not_searched() {
        let endless = format!("The crew looks for risks such as {}and ropes.", "storms at night, ".repeat(100_000));
        assert_eq!(found(&endless, "en"), None);
    }

    #[test]
    fn clauses_and_adjectives_are_no_things() {
        for text in [
            "In the spring, when the ice is gone, the crew counts the boats, and nobody helps them.",
            "The crew makes useful, usable, and cheap boats.",
            "We do not look for storms at night, broken ropes, and late returns.",
            "Ask the harbour master, who counts the boats, mends the nets, and knows the tides.",
            "It is easier to row, steer, and land a boat.",
            "Is it about the boats, the sails, and the ropes?",
        ] {
            assert_eq!(found(text, "en"), None, "{text}");
        }
    }

    #[test]
    fn the_words_before_the_things_lead_their_rows() {
        let tone = Tone { language: Language::english(), exact: false };
        let copy = |text: &str| Some(Copy { wordings: vec![text.to_owned()], span: None });
        let text = "We counted what the crews need for new boats, warm jackets, and a roof of wood.";
        let page = PageOutline { body: copy(text), ..PageOutline::blank(PageKind::Point, 0.5) };
        let rows = in_rows(page.clone(), &tone);
        let heads: Vec<&str> = rows.items.iter().map(|item| item.head.wordings[0].as_str()).collect();
        assert_eq!(heads, ["New boats", "Warm jackets", "A roof of wood"]);
        assert_eq!((rows.title, rows.body), (copy("We counted what the crews need for:"), None));
        let headed = PageOutline { title: copy("Boats"), ..page };
        let rows = in_rows(headed, &tone);
        assert_eq!((rows.title, rows.body), (copy("Boats"), copy("We counted what the crews need for:")));
        let exact = Tone { exact: true, ..tone };
        let page = PageOutline { body: copy(text), ..PageOutline::blank(PageKind::Point, 0.5) };
        assert_eq!(in_rows(page.clone(), &exact), page);
    }
}
