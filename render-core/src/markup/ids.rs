//! [`Ids`]: the explicit and generated ids of one page.

use std::collections::{HashMap, HashSet};

use roxmltree::Node as Xml;

/// Maximum length of an id.
const ID_BYTES: usize = 64;

/// The ids of one page, and their order.
#[derive(Debug)]
pub(super) struct Ids {
    written: HashSet<String>,
    counts: HashMap<String, Count>,
    order: HashMap<String, usize>,
}

/// Elements of one name.
#[derive(Debug, Default)]
struct Count {
    /// How many there are so far.
    seen: usize,
    /// The last number used in a generated id.
    last: usize,
}

impl Ids {
    /// Collects the explicit ids of a page before its elements are read.
    pub(super) fn of(page: Xml<'_, '_>) -> Self {
        let written = page.descendants().filter_map(|n| n.attribute("id")).map(|id| id.trim().to_owned()).collect();
        Self { written, counts: HashMap::new(), order: HashMap::new() }
    }

    /// Returns the id of the next element in document order: the explicit one, or one generated from its name.
    pub(super) fn next(&mut self, name: &str, written: Option<&str>) -> String {
        let count = self.counts.entry(name.to_owned()).or_default();
        count.seen += 1;
        let id = match written {
            Some(id) => id.to_owned(),
            None if name == "page" => name.to_owned(),
            None => {
                let mut number = count.seen.max(count.last + 1);
                while self.written.contains(&format!("{name}-{number}")) {
                    number += 1;
                }
                count.last = number;
                format!("{name}-{number}")
            }
        };
        self.note(&id);
        id
    }

    /// Records the position of an element with the name `label` in faults.
    pub(super) fn note(&mut self, label: &str) {
        let next = self.order.len();
        self.order.entry(label.to_owned()).or_insert(next);
    }

    /// Returns the position of an element among the others.
    pub(super) fn position(&self, label: &str) -> usize {
        self.order.get(label).copied().unwrap_or_default()
    }
}

/// Returns the explicit id of an element. `Err` if it is invalid; an empty one counts as absent.
pub(super) fn written<'a>(xml: Xml<'a, '_>) -> Result<Option<&'a str>, &'a str> {
    match xml.attribute("id").map(str::trim) {
        None | Some("") => Ok(None),
        Some(id) if is_id(id) => Ok(Some(id)),
        Some(id) => Err(id),
    }
}

fn is_id(text: &str) -> bool {
    text.len() <= ID_BYTES
        && text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}
