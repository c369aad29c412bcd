//! Prints trees as canonical text.

use super::{declared, is_xml};
use crate::tree::{Node, Run, Tree};

/// Writes a tree as text: one element per line, two spaces of indentation, ids first, attributes in declared order.
/// Words are on the line of their element, so that no white space is added to them.
pub fn print(tree: &Tree) -> String {
    let mut out = String::new();
    print_node(&tree.root, 0, &mut out);
    out
}

fn print_node(node: &Node, depth: usize, out: &mut String) {
    indent(depth, out);
    out.push('<');
    out.push_str(node.name());
    if !node.id.is_empty() {
        print_attribute("id", &node.id, out);
    }
    for attribute in declared(node.element).filter(|a| a.name != "id") {
        if let Some((name, value)) = node.attributes.iter().find(|(name, _)| *name == attribute.name) {
            print_attribute(name, value, out);
        }
    }
    if node.words.is_empty() && node.children.is_empty() {
        out.push_str("/>\n");
        return;
    }
    out.push('>');
    print_words(&node.words, out);
    if !node.children.is_empty() {
        out.push('\n');
        for child in &node.children {
            print_node(child, depth + 1, out);
        }
        indent(depth, out);
    }
    print_end(node.name(), out);
    out.push('\n');
}

fn indent(depth: usize, out: &mut String) {
    out.extend(std::iter::repeat_n("  ", depth));
}

fn print_end(name: &str, out: &mut String) {
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}

fn print_attribute(name: &str, value: &str, out: &mut String) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    for c in value.chars() {
        match c {
            '"' => out.push_str("&quot;"),
            // XML would read the raw characters as spaces.
            '\t' => out.push_str("&#9;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            _ => print_character(c, out),
        }
    }
    out.push('"');
}

/// Prints words. Marks shared by neighbouring runs stay open from one to the next.
fn print_words(words: &[Run], out: &mut String) {
    let mut open: Vec<&str> = Vec::new();
    for run in words {
        let marks: Vec<&str> = run.marks.names().collect();
        let shared = open.iter().zip(&marks).take_while(|(a, b)| a == b).count();
        print_ends(&mut open, shared, out);
        for name in &marks[shared..] {
            out.push('<');
            out.push_str(name);
            out.push('>');
        }
        open = marks;
        for c in run.text.chars() {
            match c {
                '\n' => out.push_str("<br/>"),
                _ => print_character(c, out),
            }
        }
    }
    print_ends(&mut open, 0, out);
}

/// Closes inline elements until only `kept` are open.
fn print_ends(open: &mut Vec<&str>, kept: usize, out: &mut String) {
    for name in open.drain(kept..).rev() {
        print_end(name, out);
    }
}

fn print_character(c: char, out: &mut String) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        c if is_xml(c) => out.push(c),
        _ => {}
    }
}
