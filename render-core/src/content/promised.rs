//! Recognises sentences that promise several things and name none: "There are three ways to do this."

use super::cues;
use super::segment;
use super::words::{self, Words};

/// Openings that state that things exist, separated by `|`.
const THERE: &str = "there are|there were|we have|here are|es gibt|hier sind|dafür gibt es|il y a|il existe|voici|hay|existen|\
    estas son|ci sono|esistono|ecco|há|existem|aqui estão|er zijn|hier zijn|есть|существует|существуют|istnieją|są|oto|det finns|\
    der er|det finnes|on olemassa|هناك|توجد|ada|terdapat|є|існує|існують";
/// Words for an indefinite number, separated by white space.
const SEVERAL: &str = "several many multiple various mehrere einige verschiedene viele plusieurs nombreuses nombreux muchas muchos molte molti muitas muitos veel много wiele différentes différents varios varias \
    diversas diversos vários várias diversi diverse verschillende несколько kilka flera flere beberapa кілька عدة";
/// Counts of things in scripts without spaces, separated by `|`.
const COUNTED: &str = "多くの|很多|许多|2つの|3つの|4つの|5つの|二つの|三つの|四つの|五つの|いくつかの|两种|三种|四种|几种|两个|三个|四个|几个|多种|두 가지|세 가지|네 가지|몇 가지|여러 가지";
/// Endings of such sentences, separated by `|`.
const EXIST: &str = "があります|あります|があるのです|いくつかあります|있습니다|있다";
/// Openings of such sentences, separated by `|`.
const HAVE: &str = "有|以下是|这里有|下面是";
/// Range of numbers that promise a list.
const NUMBERS: std::ops::RangeInclusive<u32> = 2..=12;
/// Maximum words between the opening and the number: "there are also three".
const BETWEEN: usize = 2;
/// Maximum words and characters of a sentence that only promises.
const LONGEST: usize = 16;
const CHARS: usize = 40;

/// Whether a sentence says that there are several things without naming them.
pub(super) fn promises(sentence: &str, lexicon: &Words) -> bool {
    let text = sentence.trim().trim_end_matches([':', '：', '.', '。', '।', ' ']);
    // Text after a colon, in brackets or between commas may name them.
    if text.contains([':', '：', '(', '（', '、', ';', '；', '–', '—']) || text.matches([',', '，', '،']).count() > 1
    {
        return false;
    }
    let lower = text.to_lowercase();
    let any = |list: &str, holds: &dyn Fn(&str) -> bool| list.split('|').any(holds);
    if any(COUNTED, &|count| lower.contains(count)) {
        let exist = any(EXIST, &|end| lower.ends_with(end)) || any(HAVE, &|front| lower.starts_with(front));
        return exist && text.chars().count() <= CHARS;
    }
    if segment::count_words(text) > LONGEST {
        return false;
    }
    let Some(opening) = THERE.split('|').find(|opening| words::opens_with(opening, text)) else { return false };
    let behind = lower.get(opening.len()..).unwrap_or("");
    let counts = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let number = bare.parse().ok().or_else(|| cues::number(bare, lexicon.code));
        number.is_some_and(|n| NUMBERS.contains(&n)) || words::has(SEVERAL, bare)
    };
    behind.split_whitespace().take(BETWEEN + 1).any(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(code: &str, sentences: &[&str]) -> Vec<bool> {
        sentences.iter().map(|s| promises(s, words::of(code))).collect()
    }

    #[test]
    fn promises_name_nothing() {
        assert_eq!(
            all(
                "en",
                &[
                    "There are three ways to moor a boat.",
                    "There are several reasons for this:",
                    "There are also two tides."
                ]
            ),
            [true; 3]
        );
        assert!(promises("Es gibt zwei Gründe, früh zu kommen.", words::of("de")));
        assert!(promises("Il existe trois structures courantes.", words::of("fr")));
        assert!(promises("3つのよく使われる方法があります。", words::of("ja")));
        assert!(promises("有两种停船的方法。", words::of("zh")));
    }

    #[test]
    fn what_names_its_things_promises_nothing() {
        let named = [
            "There are three ways to moor a boat: by rope, by chain and by anchor.",
            "There are 3,000 boats in the harbour.",
            "The harbour has three gates.",
            "There is one way to do it.",
        ];
        assert_eq!(all("en", &named), [false; 4]);
    }
}
