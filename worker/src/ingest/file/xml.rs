//! Parses XML into elements, one subtree at a time, so that a long part is never in memory as a whole tree.
//!
//! Names are local names: producers choose prefixes freely, and the supported formats have no two elements of the same
//! local name where that would matter. Only the five entities of XML and character references are expanded; a part that
//! declares others is refused.

use std::ops::ControlFlow;

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::fault::FileFault;

/// Nesting depth of elements.
const DEPTH: usize = 200;
/// Elements of one subtree.
const ELEMENTS: usize = 500_000;

/// An element.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Element {
    /// Its local name.
    pub name: Box<str>,
    attributes: Vec<(Box<str>, Box<str>)>,
    /// Its contents, in order.
    pub nodes: Vec<Node>,
}

/// The content of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    /// An element.
    Element(Element),
    /// Words.
    Text(String),
}

impl Element {
    /// Returns an attribute by its local name.
    pub fn attr(&self, name: &str) -> Option<&str> {
        self.attrs(name).next()
    }

    /// Returns the attributes of a local name, which may occur with several prefixes.
    pub fn attrs(&self, name: &str) -> impl Iterator<Item = &str> {
        self.attributes.iter().filter(move |(n, _)| &**n == name).map(|(_, value)| &**value)
    }

    /// Returns an attribute by its local name, if it is a number.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.attr(name)?.trim().parse().ok()
    }

    /// Returns its child elements.
    pub fn children(&self) -> impl Iterator<Item = &Self> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// Returns its first child element of this name.
    pub fn child(&self, name: &str) -> Option<&Self> {
        self.children().find(|child| &*child.name == name)
    }

    /// Returns the element at the end of a path of names.
    pub fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |element, name| element.child(name))
    }

    /// Returns the first descendant of this name.
    pub fn find(&self, name: &str) -> Option<&Self> {
        let mut open: Vec<&Self> = self.children().collect();
        open.reverse();
        while let Some(element) = open.pop() {
            if &*element.name == name {
                return Some(element);
            }
            let deeper = open.len();
            open.extend(element.children());
            open[deeper..].reverse();
        }
        None
    }

    /// Returns all of its text.
    pub fn text(&self) -> String {
        let (mut out, mut open) = (String::new(), vec![self.nodes.iter()]);
        while let Some(nodes) = open.last_mut() {
            match nodes.next() {
                Some(Node::Text(text)) => out.push_str(text),
                Some(Node::Element(element)) => open.push(element.nodes.iter()),
                None => drop(open.pop()),
            }
        }
        out
    }
}

/// Parses a whole part as one tree.
///
/// # Errors
/// [`FileFault`].
pub(super) fn tree(text: &str) -> Result<Element, FileFault> {
    let mut reader = Parts::new(text);
    loop {
        match reader.next()? {
            Some(Step::Start(element)) => return reader.filled(element),
            Some(_) => {}
            None => return Err(FileFault::Invalid),
        }
    }
}

/// Calls `take` with every child of the first element called `container`, until it breaks. `cut` means that the text
/// may end anywhere.
///
/// # Errors
/// [`FileFault`].
pub(super) fn each_child(
    text: &str,
    container: &str,
    cut: bool,
    mut take: impl FnMut(Element) -> Result<ControlFlow<()>, FileFault>,
) -> Result<(), FileFault> {
    let mut reader = Parts::new(text);
    let end = |fault: FileFault| if cut && fault == FileFault::Invalid { Ok(()) } else { Err(fault) };
    loop {
        match reader.next() {
            Ok(Some(Step::Start(element))) if &*element.name == container => break,
            Ok(Some(_)) => {}
            Ok(None) => return Ok(()),
            Err(fault) => return end(fault),
        }
    }
    if reader.is_empty {
        return Ok(());
    }
    loop {
        let element = match reader.next() {
            Ok(Some(Step::Start(element))) => reader.filled(element),
            Ok(Some(Step::Text(_))) => continue,
            Ok(Some(Step::End)) => return Ok(()),
            Ok(None) => return end(FileFault::Invalid),
            Err(fault) => return end(fault),
        };
        match element {
            Ok(element) => {
                if take(element)?.is_break() {
                    return Ok(());
                }
            }
            Err(fault) => return end(fault),
        }
    }
}

enum Step {
    Start(Element),
    Text(String),
    End,
}

struct Parts<'a> {
    reader: Reader<&'a [u8]>,
    /// Whether the last element that began is an empty-element tag.
    is_empty: bool,
}

impl<'a> Parts<'a> {
    fn new(text: &'a str) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().allow_dangling_amp = true;
        Self { reader, is_empty: false }
    }

    fn next(&mut self) -> Result<Option<Step>, FileFault> {
        loop {
            let event = self.reader.read_event().map_err(|_| FileFault::Invalid)?;
            let is_empty = matches!(event, Event::Empty(_));
            let step = match event {
                Event::Start(start) | Event::Empty(start) => {
                    self.is_empty = is_empty;
                    Step::Start(element(&start))
                }
                Event::Text(text) => Step::Text(text.decode().map_err(|_| FileFault::Invalid)?.into_owned()),
                Event::CData(text) => Step::Text(text.decode().map_err(|_| FileFault::Invalid)?.into_owned()),
                Event::GeneralRef(reference) => Step::Text(resolved(&reference)),
                Event::End(_) => Step::End,
                Event::DocType(text) if text.contains(&b'[') => return Err(FileFault::Entities),
                Event::DocType(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => continue,
                Event::Eof => return Ok(None),
            };
            return Ok(Some(step));
        }
    }

    /// Reads the contents of an element that has just begun.
    fn filled(&mut self, element: Element) -> Result<Element, FileFault> {
        if self.is_empty {
            return Ok(element);
        }
        let (mut open, mut elements) = (vec![element], 0);
        loop {
            match self.next()?.ok_or(FileFault::Invalid)? {
                Step::Start(element) => {
                    elements += 1;
                    if elements > ELEMENTS || open.len() >= DEPTH {
                        return Err(FileFault::TooComplex);
                    }
                    if self.is_empty { attach(&mut open, Node::Element(element)) } else { open.push(element) }
                }
                Step::Text(text) => match open.last_mut().and_then(|e| e.nodes.last_mut()) {
                    Some(Node::Text(before)) => before.push_str(&text),
                    _ => attach(&mut open, Node::Text(text)),
                },
                Step::End => {
                    let Some(ended) = open.pop() else { return Err(FileFault::Invalid) };
                    if open.is_empty() {
                        return Ok(ended);
                    }
                    attach(&mut open, Node::Element(ended));
                }
            }
        }
    }
}

fn attach(open: &mut [Element], node: Node) {
    if let Some(parent) = open.last_mut() {
        parent.nodes.push(node);
    }
}

fn element(start: &BytesStart<'_>) -> Element {
    let text = |bytes: &[u8]| -> Box<str> { String::from_utf8_lossy(bytes).into() };
    let mut attributes = start.attributes();
    let attributes = attributes.with_checks(false).filter_map(Result::ok).map(|attribute| {
        let value = attribute.normalized_value(quick_xml::XmlVersion::Explicit1_0);
        let value = value.map_or_else(|_| text(&attribute.value), |value| value.into());
        (text(attribute.key.local_name().as_ref()), value)
    });
    Element { name: text(start.local_name().as_ref()), attributes: attributes.collect(), nodes: Vec::new() }
}

/// Resolves a reference. It supports the HTML entities that occur in books, and drops others.
fn resolved(reference: &BytesRef<'_>) -> String {
    if let Ok(Some(c)) = reference.resolve_char_ref() {
        return c.into();
    }
    let known = match &**reference {
        b"amp" => "&",
        b"lt" => "<",
        b"gt" => ">",
        b"quot" => "\"",
        b"apos" => "'",
        b"nbsp" => "\u{a0}",
        b"ndash" => "–",
        b"mdash" => "—",
        b"hellip" => "…",
        b"lsquo" => "‘",
        b"rsquo" => "’",
        b"ldquo" => "“",
        b"rdquo" => "”",
        _ => "",
    };
    known.into()
}
