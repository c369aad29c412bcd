//! Finds checklists, and nested lists.

use super::{Candidate, Finder, LEAST};
use crate::content::blocks::{Clean, Form, Raw};
use crate::content::{BlockKind, ChecklistItem, Node, Sourced, Span};

impl Finder<'_> {
    /// Finds lists whose items have a checkbox.
    pub(super) fn checklists(&self) -> Vec<Candidate> {
        self.lists()
            .into_iter()
            .filter(|items| items.len() >= 2 && items.iter().all(|i| self.raws()[*i].task.is_some()))
            .filter_map(|indices| {
                let span = indices.iter().filter_map(|i| self.span_of(*i..i + 1)).reduce(Span::union)?;
                let title = self.title_over(indices[0]);
                let done = |i: usize| self.raws()[i].task == Some(true);
                let items = indices.iter().map(|i| ChecklistItem { point: self.item(*i), done: done(*i) }).collect();
                Some(Candidate { kind: BlockKind::Checklist { title, items }, score: 0.96, span, claims: true })
            })
            .collect()
    }

    /// Finds lists of which at least half of the items have a nested list.
    pub(super) fn hierarchies(&self) -> Vec<Candidate> {
        self.lists()
            .into_iter()
            .filter(|items| {
                let parents = items.iter().filter(|i| !self.raws()[**i].children.is_empty()).count();
                let deep = items.iter().flat_map(|i| &self.raws()[*i].children).any(|(depth, _)| *depth > 1);
                let counted = matches!(self.raws()[items[0]].form, Form::Item { ordinal: Some(_), .. });
                parents >= 2 && 2 * parents >= items.len() && (!counted || deep)
            })
            .filter_map(|items| {
                let nodes: Vec<Node> = items.iter().map(|i| node(&self.raws()[*i])).collect();
                let leaves: usize = items.iter().map(|i| self.raws()[*i].children.len()).sum();
                let span = items.iter().filter_map(|i| self.span_of(*i..i + 1)).reduce(Span::union)?;
                let kind = BlockKind::Hierarchy { title: self.title_over(items[0]), nodes };
                (leaves >= LEAST).then_some(Candidate { kind, score: 0.91, span, claims: true })
            })
            .collect()
    }

    /// Returns the items of each list.
    fn lists(&self) -> Vec<Vec<usize>> {
        let mut out: Vec<(u32, Vec<usize>)> = Vec::new();
        for (i, raw) in self.raws().iter().enumerate().skip(self.from) {
            if let Form::Item { list, .. } = raw.form {
                match out.last_mut().filter(|(l, items)| *l == list && items.last() == Some(&(i - 1))) {
                    Some((_, items)) => items.push(i),
                    None => out.push((list, vec![i])),
                }
            }
        }
        out.into_iter().map(|(_, items)| items).collect()
    }
}

/// Returns an item with its nested items.
fn node(raw: &Raw) -> Node {
    let words = |clean: &Clean| -> Sourced {
        let bare = clean.text.trim_end_matches([':', '：', ' ']).len();
        clean.sourced(0..bare)
    };
    let mut top = Node { head: words(&raw.clean), children: Vec::new() };
    for (depth, clean) in &raw.children {
        let mut parent = &mut top;
        for _ in 1..*depth {
            if parent.children.is_empty() {
                break;
            }
            let last = parent.children.len() - 1;
            parent = &mut parent.children[last];
        }
        parent.children.push(Node { head: words(clean), children: Vec::new() });
    }
    top
}
