//! Which language a text is written in, and whether that is sure.
//!
//! The script comes first: many write one language only. Where languages share a script, n-grams tell them apart, less
//! what a text leaves their alphabets.

mod letters;
mod model;
mod plain;
#[cfg(test)]
mod tests;

use unicode_script::Script;

use self::letters::Foreign;
use self::model::LANGUAGES;

/// English's column of the model.
const ENGLISH: usize = 0;
/// What a letter outside its alphabet costs a language, in nats.
const FOREIGN: f32 = 2.0;
/// A text is in a language that the model lacks where at least so many letters, and one in so many, are outside the
/// alphabet of the likeliest of the model.
const OTHER: (usize, usize) = (3, 60);
/// A text of fewer Latin letters is English where English costs at most so many nats more than the likeliest language: names
/// and one-word headings say too little, and most are English.
const BRIEF: (usize, f32) = (20, 6.0);
/// How far the likeliest language must lead, in nats by the root of the bytes, for the detection to be sure. It is right
/// in 99.7 % of texts of five words then.
const LEAD: f32 = 1.0;
/// Likewise where the other language is a neighbour.
const LEAD_OF_NEIGHBOURS: f32 = 2.0;
/// Letters from which on a detection can be sure: of a script that several languages write, and of one that tells alone.
const LETTERS: (usize, usize) = (20, 12);
/// A sure detection has at most one letter in so many outside the language's alphabet.
const STRAY: usize = 100;

/// Languages that are taken for each other.
const NEIGHBOURS: [&[&str]; 5] =
    [&["nb", "da", "sv"], &["id", "ms"], &["cs", "sk"], &["ru", "uk", "bg"], &["es", "pt"]];

/// The language of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Detection {
    /// BCP 47 primary subtag.
    pub code: &'static str,
    script: Script,
    /// Letters of that script.
    letters: usize,
    /// How far the language leads the second, in nats by the root of the bytes; infinite where the script tells it alone,
    /// 0 where the model lacks it.
    lead: f32,
    /// Letters that are outside the language's alphabet.
    foreign: usize,
}

impl Detection {
    /// `None` where the text has no letters of a known script.
    pub(super) fn of(text: &str) -> Option<Self> {
        let plain = plain::plain(text);
        let (script, letters) = letters::script(&plain)?;
        if let Some(code) = letters::alone(script) {
            return Some(Self { code, script, letters, lead: f32::INFINITY, foreign: 0 });
        }
        let costs = model::costs(&plain);
        let foreign = Foreign::of(&plain, script);
        let mut ranked: Vec<(f32, usize)> = letters::columns(script)
            .map(|column| (costs[column] + FOREIGN * foreign.model[column] as f32, column))
            .collect();
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
        let [(first, column), (second, _), ..] = *ranked.as_slice() else { return None };
        let (brief, nats) = BRIEF;
        if script == Script::Latin && letters < brief && foreign.model[ENGLISH] == 0 && costs[ENGLISH] - first <= nats {
            return Some(Self { code: LANGUAGES[ENGLISH], script, letters, lead: 0.0, foreign: 0 });
        }
        let left = foreign.model[column];
        let (least, one_in) = OTHER;
        let other = (left >= least && left * one_in >= letters).then(|| foreign.other(script, left)).flatten();
        Some(match other {
            Some(code) => Self { code, script, letters, lead: 0.0, foreign: 0 },
            None => {
                let lead = (second - first) / (plain.len() as f32).sqrt();
                Self { code: LANGUAGES[column], script, letters, lead, foreign: left }
            }
        })
    }

    /// Whether the text surely isn't in the language of a primary subtag.
    ///
    /// Never where that language is written in the text's script and the model lacks it.
    pub(super) fn excludes(&self, code: &str) -> bool {
        let code = usual(code);
        let by_n_grams = self.lead.is_finite();
        let (several, one) = LETTERS;
        let enough = if by_n_grams { several } else { one };
        if self.code == code || self.letters < enough || self.lead < LEAD || self.foreign * STRAY > self.letters {
            return false;
        }
        match letters::writes(code, self.script) {
            Some(false) => true,
            Some(true) if by_n_grams && LANGUAGES.contains(&code) => {
                let neighbours = NEIGHBOURS.iter().any(|group| group.contains(&code) && group.contains(&self.code));
                !neighbours || self.lead >= LEAD_OF_NEIGHBOURS
            }
            _ => false,
        }
    }
}

/// The code under which the model knows a language that has two.
pub(super) fn usual(code: &str) -> &str {
    match code {
        "no" => "nb",
        "fil" => "tl",
        code => code,
    }
}
