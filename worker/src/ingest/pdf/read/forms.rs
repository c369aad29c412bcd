//! Forms (PDF 2.0, 8.10): content streams that pages draw like a part of their own. Each form numbers its marked
//! content itself, and the tags of a file refer to a form by its object, which the interpreter does not pass to its
//! device.

use hayro_interpret::hayro_syntax::content::TypedIter;
use hayro_interpret::hayro_syntax::content::ops::TypedInstruction;
use hayro_interpret::hayro_syntax::object::{Dict, Name, ObjectIdentifier};
use hayro_interpret::hayro_syntax::page::{Page, Resources};
use hayro_interpret::kurbo::{BezPath, PathEl, Point};

/// Limit of forms per page, and of their nesting depth.
const FORMS: usize = 1_000;
const DEPTH: usize = 50;
/// Coordinates that differ by less than `SAME` are equal, and those that differ by more than `OTHER` are not. The
/// interpreter's own tolerance for upright rectangles lies between.
const SAME: f64 = 1.0 / 512.0;
const OTHER: f64 = 1.0 / 128.0;

/// Returns the forms that a page draws, in drawing order and with repetitions, unless some of them are hidden.
pub fn drawn(page: &Page<'_>) -> Vec<ObjectIdentifier> {
    let mut forms = Vec::new();
    drawn_by(page.typed_operations(), page.resources(), DEPTH, &mut forms);
    forms
}

fn drawn_by(mut operations: TypedIter<'_>, resources: &Resources<'_>, depth: usize, forms: &mut Vec<ObjectIdentifier>) {
    while let Some(operation) = operations.next() {
        let TypedInstruction::XObject(named) = operation else { continue };
        let Some(stream) = resources.get_x_object(named.0) else { continue };
        let dict = stream.dict();
        let is_form = dict.get::<Name<'_>>("Subtype").is_some_and(|kind| kind.as_ref() == b"Form");
        if !is_form || dict.get::<[f32; 4]>("BBox").is_none() {
            continue;
        }
        let Ok(content) = stream.decoded_data() else { continue };
        if forms.len() >= FORMS || depth == 0 {
            return;
        }
        forms.push(stream.obj_id());
        let own = dict.get::<Dict<'_>>("Resources").map(Resources::new);
        drawn_by(TypedIter::new(&content), own.as_ref().unwrap_or(resources), depth - 1, forms);
    }
}

/// Returns whether a clip path is the bounds of a form: the interpreter clips to each form from its start to its end.
/// Upright rectangles that content clips to are not, because the interpreter passes them as rectangles, unless they
/// have no area.
pub fn is_bounds(path: &BezPath) -> bool {
    let [PathEl::MoveTo(a), PathEl::LineTo(b), PathEl::LineTo(c), PathEl::LineTo(d), PathEl::ClosePath] =
        path.elements()
    else {
        return false;
    };
    let across = |p: &Point, q: &Point| (p.y - q.y).abs() < SAME && (p.x - q.x).abs() > OTHER;
    let down = |p: &Point, q: &Point| (p.x - q.x).abs() < SAME && (p.y - q.y).abs() > OTHER;
    across(a, b) && down(b, c) && across(c, d) && down(d, a) || down(a, b) && across(b, c) && down(c, d) && across(d, a)
}
