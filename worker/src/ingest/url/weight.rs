//! Measures how much text each part of a page contains, and how much of it is links.

use std::collections::HashMap;

use dom_query::{Document, NodeId, NodeRef};

/// Characters within each node, without white space.
pub(super) struct Weights {
    /// By node: all characters, and those within links.
    within: HashMap<NodeId, (u32, u32)>,
}

impl Weights {
    /// Measures a page in two passes without recursion.
    pub fn of(page: &Document) -> Self {
        // In document order: a parent precedes its children, which store its index.
        let mut order: Vec<(NodeId, Option<usize>, (u32, u32))> = Vec::with_capacity(page.tree.len());
        let mut open = vec![(page.root(), None, false)];
        while let Some((node, parent, linked)) = open.pop() {
            let place = order.len();
            if node.is_text() {
                let chars = node.text().chars().filter(|c| !c.is_whitespace()).count();
                let chars = u32::try_from(chars).unwrap_or(u32::MAX);
                order.push((node.id, parent, (chars, if linked { chars } else { 0 })));
                continue;
            }
            order.push((node.id, parent, (0, 0)));
            if is_unseen(&node) {
                continue;
            }
            let linked = linked || node.has_name("a");
            open.extend(node.children_it(true).map(|child| (child, Some(place), linked)));
        }
        for place in (0..order.len()).rev() {
            let (_, parent, (text, linked)) = order[place];
            if let Some(parent) = parent {
                let sum = &mut order[parent].2;
                *sum = (sum.0.saturating_add(text), sum.1.saturating_add(linked));
            }
        }
        let within = order.into_iter().map(|(id, _, weight)| (id, weight)).collect();
        Self { within }
    }

    /// Returns the characters within a node.
    pub fn text(&self, node: &NodeRef<'_>) -> u32 {
        self.within.get(&node.id).map_or(0, |w| w.0)
    }

    /// Returns the share of them within links, 0–1.
    pub fn linked(&self, node: &NodeRef<'_>) -> f32 {
        match self.within.get(&node.id) {
            Some((text, linked)) if *text > 0 => *linked as f32 / *text as f32,
            _ => 0.0,
        }
    }
}

/// Returns whether an element's text is never shown, or belongs to a control.
fn is_unseen(node: &NodeRef<'_>) -> bool {
    const UNSEEN: [&str; 9] =
        ["script", "style", "noscript", "template", "head", "svg", "button", "select", "textarea"];
    UNSEEN.iter().any(|name| node.has_name(name))
}
