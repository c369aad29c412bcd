//! Forms (PDF 2.0, 8.10): streams of content that pages draw as if they were a part of their own. Each numbers its marked content
//! for itself, and the tags of a file name it by its object, of which the interpreter says nothing to whom it draws for.

use hayro_interpret::hayro_syntax::content::TypedIter;
use hayro_interpret::hayro_syntax::content::ops::TypedInstruction;
use hayro_interpret::hayro_syntax::object::{Dict, Name, ObjectIdentifier};
use hayro_interpret::hayro_syntax::page::{Page, Resources};
use hayro_interpret::kurbo::{BezPath, PathEl, Point};

/// Forms of a page that are told apart, and how deep they stand in one another.
const FORMS: usize = 1_000;
const DEPTH: usize = 50;
/// Coordinates that differ by less are the same, and those that differ by more are not. The interpreter's own bound, by which
/// it knows upright rectangles, lies between.
const SAME: f64 = 1.0 / 512.0;
const OTHER: f64 = 1.0 / 128.0;

/// The forms that a page draws, as often as it does and in their order, unless some of them are hidden.
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

/// Whether a path that is clipped to is the bounds of a form: the interpreter clips to each form as it begins and until it ends.
/// Upright rectangles that content clips to are none, for it hands them over as such, unless they have no area.
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
