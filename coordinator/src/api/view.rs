//! How things look on the wire.

use render_core::inspect::Quality;
use serde_json::{Value, json};

use super::App;
use crate::clock::Millis;
use crate::state::{End, Generation, Given, Image, InputType, Output, Snapshot, Status};

/// Progress of a generation that a worker has begun to design.
const DESIGNING: u32 = 5;
/// Progress of one whose pages are designed.
const DESIGNED: u32 = 20;

/// A generation.
pub fn generation(snapshot: &Snapshot, app: &App, now: Millis) -> Value {
    let g = &snapshot.generation;
    let request = &g.request;
    let counts: serde_json::Map<String, Value> =
        request.formats.iter().filter_map(|(id, slides)| slides.map(|n| (id.clone(), json!(n)))).collect();
    let (progress, stage) = progress(g);
    json!({
        "id": g.id,
        "status": g.status.name(),
        "progress": progress,
        "stage": stage,
        "title": g.planned.as_ref().map(|p| &p.title).or(request.title.as_ref()),
        "inputType": input_type(request.given.input_type()),
        "inputUrl": match &request.given {
            Given::Text | Given::Idea | Given::Pdf => None,
            Given::Url(url) | Given::PdfUrl(url) => Some(url),
        },
        "outputFormats": request.formats.iter().map(|(id, _)| id).collect::<Vec<_>>(),
        "carouselCounts": counts,
        "brandId": request.brand,
        "visualStyle": request.style.as_ref().or(g.planned.as_ref().map(|p| &p.style)),
        "language": g.planned.as_ref().map(|p| &p.language).or(request.language.as_ref()),
        "resolution": request.resolution.name(),
        "imageFormat": request.image_format.name(),
        "seed": request.seed, "useExactContent": g.exact,
        "creditsCharged": g.charged,
        "creditsRefunded": g.refunded,
        "outputs": outputs(snapshot, app, now),
        "warnings": snapshot.warnings,
        "error": g.fault.as_ref().map(|f| json!({ "code": f.code, "message": f.message })),
        "errorMessage": g.fault.as_ref().map(|f| &f.message),
        "createdAt": g.created.to_string(),
        "startedAt": g.started.map(|t| t.to_string()),
        "completedAt": g.completed.map(|t| t.to_string()),
    })
}

/// The name of what content was given as.
pub fn input_type(input_type: InputType) -> &'static str {
    match input_type {
        InputType::Text => "text",
        InputType::Url => "url",
        InputType::Idea => "idea",
        InputType::Pdf => "pdf",
    }
}

/// Progress from 0 to 100, and what is being done.
pub fn progress(g: &Generation) -> (u32, &'static str) {
    match g.status {
        Status::Pending => (0, "queued"),
        Status::Processing if g.planned.is_none() => (DESIGNING, "designing"),
        Status::Processing => (DESIGNED + (100 - DESIGNED) * (g.done + g.failed) / g.total.max(1), "rendering"),
        Status::Completed | Status::Partial | Status::Failed | Status::Cancelled => (100, "finished"),
    }
}

/// The outputs that are ready.
fn outputs(snapshot: &Snapshot, app: &App, now: Millis) -> Vec<Value> {
    let ready = (0..).zip(&snapshot.outputs).filter_map(|(place, output)| match &output.end {
        Some(End::Ready(image)) => Some((place, output, image)),
        _ => None,
    });
    ready.map(|(place, o, image)| output(place, o, image, snapshot, app, now)).collect()
}

/// An output that is ready, at its place in the request's order.
pub fn output(place: u32, o: &Output, image: &Image, snapshot: &Snapshot, app: &App, now: Millis) -> Value {
    let url = app.signer.url(&image.object, now);
    json!({
        "id": o.id,
        "outputId": o.id,
        "formatId": o.format,
        "kind": if o.slide.is_some() { "slide" } else { "visual" },
        "slideIndex": o.slide,
        "sortOrder": place,
        "imageUrl": url,
        "fileUrl": url,
        "thumbnailUrl": app.signer.url(&image.thumbnail, now),
        "width": o.width,
        "height": o.height,
        "mimeType": format!("image/{}", snapshot.generation.request.image_format.name()),
        "bytes": image.bytes,
        "version": o.version,
        "altText": o.alt_text,
        "quality": quality(&image.quality),
    })
}

/// The design measures, to three decimals.
fn quality(measured: &Quality) -> Value {
    let round = |v: f32| (f64::from(v) * 1e3).round() / 1e3;
    let checks = measured.checks.iter().map(|c| {
        json!({ "name": c.name, "value": round(c.value), "gate": round(c.gate), "passed": c.passed, "hard": c.hard })
    });
    json!({ "passed": measured.passed, "checks": checks.collect::<Vec<_>>() })
}
