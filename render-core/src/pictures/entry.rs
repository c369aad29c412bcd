//! Entries: the headers of pictures, and the values of their parameters on a page.

use std::collections::HashMap;

use minijinja::Value;
use roxmltree::{Document, Node as Xml};

use crate::tree::{COMMON, Node};

/// A picture of the vocabulary.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it shows, for the reference page and for the choice of a picture.
    pub about: &'static str,
    /// English words that select it, separated by white space: `a-b` are two consecutive words, `~a` is a word of low
    /// weight.
    pub words: &'static str,
    /// The same in other languages, by primary subtag.
    pub others: Vec<(&'static str, &'static str)>,
    /// Emoji with the same meaning, separated by white space: a word in any language that selects one of them selects
    /// the picture.
    pub emoji: &'static str,
    /// Width over height.
    pub aspect: f32,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a picture.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Its name, one of the attributes of `picture`.
    pub name: &'static str,
    /// Its meaning.
    pub about: &'static str,
    /// Its values.
    pub range: Range,
}

/// The values of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Range {
    /// Whole numbers.
    Whole {
        /// The minimum.
        min: i64,
        /// The maximum.
        max: i64,
        /// The default.
        default: i64,
    },
    /// One of these words; the first is the default.
    Words(Vec<&'static str>),
}

/// Attributes of `picture` that are no parameters.
const OWN: [&str; 7] = ["name", "seed", "fit", "position", "bleed", "alt", "grow"];

/// Languages other than English for which a header may give words.
const LANGUAGES: [&str; 3] = ["de", "fr", "es"];

/// Reads the header and the template of a file.
pub fn read(name: &'static str, source: &'static str) -> Result<(Entry, &'static str), String> {
    const END: &str = "</picture>";
    let end = source.find(END).ok_or("no header")? + END.len();
    let (header, template) = source.split_at(end);
    let document = Document::parse(header).map_err(|e| e.to_string())?;
    let root = document.root_element();
    // Values are looked up in the source, which outlives the parsed document.
    let text = |node: Xml<'_, '_>, attribute: &str| -> Result<&'static str, String> {
        let found = node.attribute_node(attribute).ok_or_else(|| format!("no {attribute}"))?;
        source.get(found.range_value()).ok_or_else(|| "no value".to_owned())
    };
    let mut parameters = Vec::new();
    for node in root.children().filter(|n| n.has_tag_name("param")) {
        let number = |a: &str| text(node, a).and_then(|v| v.parse::<i64>().map_err(|e| e.to_string()));
        let range = match node.attribute("values") {
            Some(_) => Range::Words(text(node, "values")?.split_whitespace().collect()),
            None => Range::Whole { min: number("min")?, max: number("max")?, default: number("default")? },
        };
        parameters.push(Parameter { name: text(node, "name")?, about: text(node, "about")?, range });
    }
    let aspect = text(root, "aspect")?.parse::<f32>().map_err(|e| e.to_string())?;
    let words = text(root, "words")?;
    let emoji = text(root, "emoji").unwrap_or_default();
    let others = LANGUAGES.into_iter().filter_map(|code| Some((code, text(root, code).ok()?))).collect();
    Ok((Entry { name, about: text(root, "about")?, words, others, emoji, aspect, parameters }, template))
}

impl Entry {
    /// Returns the words of a language that select it; empty if there are none.
    pub fn words_in(&self, code: &str) -> &'static str {
        if code == "en" {
            return self.words;
        }
        self.others.iter().find(|(own, _)| *own == code).map_or("", |(_, words)| words)
    }

    /// Returns whether it has a parameter with this name.
    pub fn takes(&self, name: &str) -> bool {
        self.parameters.iter().any(|p| p.name == name)
    }

    /// Returns the values of its parameters on a page.
    pub(super) fn values(&self, node: &Node) -> Result<HashMap<String, Value>, Vec<String>> {
        let mut wrong = Vec::new();
        let mut values = HashMap::new();
        for parameter in &self.parameters {
            match parameter.value(node.get(parameter.name)) {
                Ok(value) => drop(values.insert(parameter.name.to_owned(), value)),
                Err(message) => wrong.push(message),
            }
        }
        let common = |name: &str| COMMON.iter().any(|a| a.name == name) || OWN.contains(&name);
        for (name, _) in node.attributes.iter().filter(|(name, _)| !common(name) && !self.takes(name)) {
            let known: Vec<&str> = self.parameters.iter().map(|p| p.name).collect();
            wrong.push(format!("{} takes no {name}; it takes {}", self.name, known.join(", ")));
        }
        if wrong.is_empty() { Ok(values) } else { Err(wrong) }
    }

    /// Returns values at the ends and in the middle of every range, one parameter at a time.
    #[cfg(test)]
    pub(super) fn samples(&self) -> Vec<Vec<(&'static str, String)>> {
        let mut samples = vec![Vec::new()];
        for parameter in &self.parameters {
            match &parameter.range {
                Range::Whole { min, max, .. } => {
                    samples.extend([*min, (min + max) / 2, *max].map(|n| vec![(parameter.name, n.to_string())]));
                }
                Range::Words(words) => samples.extend(words.iter().map(|w| vec![(parameter.name, (*w).to_owned())])),
            }
        }
        samples
    }
}

impl Parameter {
    fn value(&self, written: Option<&str>) -> Result<Value, String> {
        let written = written.map(str::trim);
        match (&self.range, written) {
            (Range::Whole { default, .. }, None) => Ok(Value::from(*default)),
            (Range::Whole { min, max, .. }, Some(text)) => {
                let read = text.parse::<f64>().ok().filter(|n| n.is_finite());
                let read = read.map(|n| libm::round(n) as i64).filter(|n| (*min..=*max).contains(n));
                read.map(Value::from)
                    .ok_or_else(|| format!("{}=\"{text}\" is no number from {min} to {max}", self.name))
            }
            (Range::Words(words), None) => Ok(Value::from(words.first().copied().unwrap_or_default())),
            (Range::Words(words), Some(text)) if words.contains(&text) => Ok(Value::from(text)),
            (Range::Words(words), Some(text)) => {
                Err(format!("{}=\"{text}\" is none of {}", self.name, words.join(", ")))
            }
        }
    }
}
