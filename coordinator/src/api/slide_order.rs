//! Parses the slides that a carousel should have.

use render_core::outline::RevisedPage;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::http::error::{ApiError, Detail, Missing};
use crate::http::form::{Form, workspace_fault};

/// Fields of the request.
pub(super) const SLIDES: &str = "slides";
const DRY_RUN: &str = "dryRun";
/// All fields of the request.
#[cfg(test)]
pub(super) const FIELDS: [&str; 2] = [SLIDES, DRY_RUN];
/// Fields of a slide.
const KEPT: &str = "outputId";
const COPIED: &str = "copyOf";
pub(super) const SAID: &str = "page";

/// A slide in a request.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AskedSlide {
    /// The output that the slide is, or is a copy of.
    pub id: Uuid,
    /// Whether the slide is a new output.
    pub copied: bool,
    /// New text for the slide, replacing the output's own.
    pub says: Option<RevisedPage>,
}

pub(super) fn invalid(field: &str, code: &'static str, message: impl Into<String>) -> ApiError {
    ApiError::Invalid(vec![Detail::new(field, code, message)])
}

/// Reads the requested slides, and whether the request is a dry run.
pub(super) fn read(body: &Map<String, Value>) -> Result<(Vec<AskedSlide>, bool), ApiError> {
    if let Some(fault) = workspace_fault(body) {
        return Err(ApiError::Invalid(vec![fault]));
    }
    let slides = match body.get(SLIDES) {
        None | Some(Value::Null) => {
            return Err(invalid(SLIDES, "missing_field", "List every slide that the carousel should have in slides."));
        }
        Some(Value::Array(slides)) if !slides.is_empty() => slides,
        Some(_) => return Err(invalid(SLIDES, "invalid_value", "slides must be a list of at least one slide.")),
    };
    let dry_run = match body.get(DRY_RUN) {
        None | Some(Value::Null) => false,
        Some(Value::Bool(dry_run)) => *dry_run,
        Some(_) => return Err(invalid(DRY_RUN, "invalid_value", "dryRun must be true or false.")),
    };
    let mut form = Form::new(body);
    let slides: Vec<AskedSlide> =
        slides.iter().enumerate().map(|(n, slide)| one(&mut form, n, slide)).collect::<Result<_, _>>()?;
    let (faults, _) = form.end();
    if !faults.is_empty() {
        return Err(ApiError::Invalid(faults));
    }
    let mut kept = Vec::new();
    for (n, slide) in slides.iter().enumerate().filter(|(_, slide)| !slide.copied) {
        if kept.contains(&slide.id) {
            let message = "This slide is listed twice. To add a copy, name it in copyOf.";
            return Err(invalid(&format!("{SLIDES}[{n}].{KEPT}"), "invalid_value", message));
        }
        kept.push(slide.id);
    }
    Ok((slides, dry_run))
}

/// Reads the text of a page in an instruction. Returns `None` if a request could not contain it.
pub(super) fn page(value: &Value) -> Option<RevisedPage> {
    let body = Map::new();
    let mut form = Form::new(&body);
    let page = form.outline_page(SAID, value);
    let (faults, _) = form.end();
    page.filter(|_| faults.is_empty())
}

fn one<'a>(form: &mut Form<'a>, n: usize, slide: &'a Value) -> Result<AskedSlide, ApiError> {
    let field = format!("{SLIDES}[{n}]");
    let given = |name: &str| slide.get(name).filter(|value| !value.is_null());
    let (name, id, copied) = match (given(KEPT), given(COPIED)) {
        (Some(id), None) => (KEPT, id, false),
        (None, Some(id)) => (COPIED, id, true),
        _ => {
            let message = "A slide must be an object with either outputId or copyOf.";
            return Err(invalid(&field, "invalid_value", message));
        }
    };
    let id = id.as_str().ok_or_else(|| {
        invalid(
            &format!("{field}.{name}"),
            "invalid_value",
            format!("{name} must be the id of an output, as a string."),
        )
    })?;
    let id = id.parse().map_err(|_| ApiError::Missing(Missing::Output))?;
    let says = given(SAID).and_then(|page| form.outline_page(&format!("{field}.{SAID}"), page));
    Ok(AskedSlide { id, copied, says })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn slides_are_kept_copied_and_written() {
        let id = Uuid::from_u128(5);
        let body = json!({"slides": [
            {"outputId": id}, {"copyOf": id}, {"copyOf": id, "page": {"title": "Any questions?"}},
        ]});
        let (slides, dry_run) = read(body.as_object().unwrap()).unwrap();
        assert!(!dry_run);
        let shape: Vec<_> =
            slides.iter().map(|s| (s.copied, s.says.as_ref().and_then(|p| p.title.as_deref()))).collect();
        assert_eq!(shape, [(false, None), (true, None), (true, Some("Any questions?"))]);
        for wrong in [
            json!({"slides": [{"copyOf": id, "page": {}}]}),
            json!({"slides": [{"copyOf": id, "page": "x"}]}),
            json!({"slides": [{"copyOf": id, "page": {"kind": "poem", "title": "x"}}]}),
            json!({"slides": [{"page": {"title": "x"}}]}),
            json!({"slides": [{"outputId": id}, {"outputId": id}]}),
        ] {
            assert!(matches!(read(wrong.as_object().unwrap()), Err(ApiError::Invalid(_))), "{wrong}");
        }
    }
}
