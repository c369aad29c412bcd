//! Renders SVG pictures once. No script runs, no external reference is followed, and text is refused, because the fonts
//! that it refers to are missing.

use std::collections::HashMap;
use std::sync::Arc;

use fleet::import::PictureKind;
use render_core::limits::{LOGO_EDGE_PX, SVG_DEPTH, SVG_NODES};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::roxmltree::{Document, Node, NodeId, ParsingOptions};
use resvg::usvg::{ImageHrefResolver, ImageKind, Options, Tree};

use super::super::decode::decoded;
use super::super::pixels::{Pixels, Seen};

const SVG: &str = "http://www.w3.org/2000/svg";
const XLINK: &str = "http://www.w3.org/1999/xlink";
/// Raster pictures that may be embedded, by their media type.
const EMBEDDED: [(&str, PictureKind); 6] = [
    ("image/png", PictureKind::Png),
    ("image/jpeg", PictureKind::Jpeg),
    ("image/jpg", PictureKind::Jpeg),
    ("image/webp", PictureKind::Webp),
    ("image/avif", PictureKind::Avif),
    ("image/gif", PictureKind::Gif),
];
/// The picture is rendered again at a larger scale if its visible part is smaller than this share of the long edge.
const FILLED: f32 = 0.99;
/// The factor of that larger scale, at most, and how often it is applied: the visible part is measured to a pixel only.
const CLOSER: f32 = 64.0;
const LOOKS: usize = 3;

/// Renders a file so that its visible part is [`LOGO_EDGE_PX`] long.
///
/// # Errors
/// Why the file can't be used, as a message to its sender.
pub(super) fn drawn(file: &[u8]) -> Result<Pixels, String> {
    let text = std::str::from_utf8(file).map_err(|_| "this SVG is not in UTF-8")?;
    // The parser expands entities that the file itself defines, within limits; external entities are errors.
    let parsing = ParsingOptions { allow_dtd: true, nodes_limit: SVG_NODES as u32, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, parsing).map_err(|e| format!("this SVG can't be read: {e}"))?;
    check(&document)?;
    let tree = Tree::from_xmltree(&document, &options()).map_err(|e| format!("this SVG can't be read: {e}"))?;

    let (width, height) = (tree.size().width(), tree.size().height());
    let long = LOGO_EDGE_PX as f32;
    let scale = long / width.max(height);
    if !scale.is_finite() || scale <= 0.0 {
        return Err("this SVG has no size".into());
    }
    let mut view = View { x: 0.0, y: 0.0, scale, width: edge(width * scale), height: edge(height * scale) };
    // Much of the picture may be empty: zooms until the visible part fills it.
    for _ in 1..LOOKS {
        let drawn = view.draw(&tree)?;
        let Some(seen) = drawn.seen() else { return Ok(drawn) };
        let closer = (long / seen.width.max(seen.height) as f32).min(CLOSER);
        if 1.0 / closer > FILLED {
            return Ok(drawn);
        }
        view = view.onto(seen, closer);
    }
    view.draw(&tree)
}

/// A viewport of a drawing.
struct View {
    /// The position of its top left corner, in pixels.
    x: f32,
    y: f32,
    /// Pixels per unit of the drawing.
    scale: f32,
    /// Its size in pixels.
    width: u32,
    height: u32,
}

impl View {
    /// Zooms in on the visible part by the factor `closer`.
    fn onto(&self, seen: Seen, closer: f32) -> Self {
        Self {
            x: (self.x + seen.x as f32) * closer,
            y: (self.y + seen.y as f32) * closer,
            scale: self.scale * closer,
            width: edge(seen.width as f32 * closer),
            height: edge(seen.height as f32 * closer),
        }
    }

    fn draw(&self, tree: &Tree) -> Result<Pixels, String> {
        let (width, height) = (self.width, self.height);
        let mut pixmap = Pixmap::new(width, height).ok_or("this SVG has no size")?;
        let transform = Transform::from_row(self.scale, 0.0, 0.0, self.scale, -self.x, -self.y);
        resvg::render(tree, transform, &mut pixmap.as_mut());
        let straight = pixmap.pixels().iter().map(|p| p.demultiply());
        let rgba = straight.flat_map(|p| [p.red(), p.green(), p.blue(), p.alpha()]).collect();
        Ok(Pixels { width, height, rgba })
    }
}

/// Rounds a length up to whole pixels, within the limit.
fn edge(v: f32) -> u32 {
    (v.ceil() as u32).clamp(1, LOGO_EDGE_PX)
}

/// Returns options that load nothing from outside the file.
fn options() -> Options<'static> {
    let embedded = |_: &str, data: Arc<Vec<u8>>, _: &Options<'_>| {
        let kind = PictureKind::of(&data).filter(|kind| *kind != PictureKind::Svg)?;
        // Decoded within our own limits, and re-encoded as a plain PNG.
        let pixels = decoded(kind, &data).ok()?;
        let png = pixels.png(png::Compression::High).ok()?;
        Some(ImageKind::PNG(Arc::new(png)))
    };
    let resolver = ImageHrefResolver {
        resolve_data: Box::new(embedded),
        resolve_string: Box::new(|_: &str, _: &Options<'_>| None),
    };
    Options { image_href_resolver: resolver, ..Options::default() }
}

/// Refuses a file if a part of it would be rendered wrongly or not at all.
fn check(document: &Document<'_>) -> Result<(), String> {
    let root = document.root_element();
    if !root.has_tag_name((SVG, "svg")) {
        return Err("its root element is not an svg element of the SVG namespace".into());
    }
    for node in root.descendants().filter(|n| n.tag_name().namespace() == Some(SVG)) {
        let name = node.tag_name().name();
        let says = |n: Node<'_, '_>| n.is_text() && n.text().is_some_and(|t| !t.trim().is_empty());
        if name == "text" && node.descendants().any(says) {
            return Err("it holds text, whose font isn't in the file: convert the text to outlines (paths)".into());
        }
        // Links are not rendered, and scripts do not run.
        if name != "a" && name != "script" {
            reference(name, href(node).unwrap_or_default().trim())?;
        }
    }
    let mut weigher = Weigher { ids: HashMap::new(), known: HashMap::new(), open: Vec::new() };
    weigher.ids = root.descendants().filter_map(|n| Some((n.attribute("id")?, n))).collect();
    weigher.weigh(root, 0).map(drop)
}

/// Checks what an element refers to: a part of the same file, or an embedded picture.
fn reference(element: &str, href: &str) -> Result<(), String> {
    if href.is_empty() || href.starts_with('#') {
        return Ok(());
    }
    let picture = matches!(element, "image" | "feImage").then(|| href.strip_prefix("data:")).flatten();
    let media = picture.map(|data| data.split([';', ',']).next().unwrap_or_default().to_ascii_lowercase());
    match media {
        Some(media) if EMBEDDED.iter().any(|(known, _)| *known == media) => Ok(()),
        Some(media) => {
            Err(format!("it embeds a picture of the type {media:?}; PNG, JPEG, WebP, AVIF and GIF are read"))
        }
        None => {
            let shown: String = href.chars().take(60).collect();
            Err(format!("it refers to {shown:?}, which is outside the file: embed what it shows"))
        }
    }
}

/// Returns the reference of an element. The attribute without a prefix takes precedence (SVG 2, section 16.1.6).
fn href<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    let plain = node.attributes().find(|a| a.name() == "href" && a.namespace().is_none());
    plain.or_else(|| node.attributes().find(|a| a.name() == "href" && a.namespace() == Some(XLINK))).map(|a| a.value())
}

/// Counts the elements of a drawing after every `use` is expanded.
struct Weigher<'a, 'input> {
    ids: HashMap<&'a str, Node<'a, 'input>>,
    /// Number of elements and nesting depth by node.
    known: HashMap<NodeId, (usize, usize)>,
    /// The nodes that are being counted.
    open: Vec<NodeId>,
}

impl<'a, 'input: 'a> Weigher<'a, 'input> {
    fn weigh(&mut self, node: Node<'a, 'input>, depth: usize) -> Result<(usize, usize), String> {
        let deep = || format!("its elements are nested more than {SVG_DEPTH} levels deep");
        if depth > SVG_DEPTH {
            return Err(deep());
        }
        let id = node.id();
        if let Some((elements, height)) = self.known.get(&id).copied() {
            return if depth + height > SVG_DEPTH { Err(deep()) } else { Ok((elements, height)) };
        }
        // A renderer skips a `use` that includes itself.
        if self.open.contains(&id) {
            return Ok((0, 0));
        }
        self.open.push(id);
        let (mut elements, mut height) = (1_usize, 0);
        let used = node.has_tag_name((SVG, "use")).then(|| href(node)?.trim().strip_prefix('#')).flatten();
        let used = used.and_then(|id| self.ids.get(id).copied());
        for inner in node.children().filter(Node::is_element).chain(used) {
            let (more, below) = self.weigh(inner, depth + 1)?;
            elements = elements.saturating_add(more);
            height = height.max(below + 1);
        }
        if elements > SVG_NODES {
            return Err(format!("it draws more than {SVG_NODES} elements"));
        }
        self.open.pop();
        self.known.insert(id, (elements, height));
        Ok((elements, height))
    }
}
