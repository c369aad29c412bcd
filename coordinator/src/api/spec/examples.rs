//! Examples that are more than their fields' examples side by side. A test holds each against its schema.

use serde_json::{Value, json};

use super::super::formats;

/// A generation that has just been accepted.
pub fn pending() -> Value {
    json!({
        "id": "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e90",
        "status": "pending",
        "progress": 0,
        "stage": "queued",
        "title": null,
        "inputType": "text",
        "inputUrl": null,
        "outputFormats": ["instagram_post"],
        "carouselCounts": {},
        "brandId": null,
        "visualStyle": "dark",
        "language": null,
        "resolution": "2K",
        "exactSize": false,
        "imageFormat": "png",
        "seed": 42,
        "useExactContent": false,
        "creditsCharged": 10,
        "creditsRefunded": 0,
        "outputs": [],
        "warnings": [],
        "error": null,
        "errorMessage": null,
        "createdAt": "2026-01-31T12:00:00.000Z",
        "startedAt": null,
        "completedAt": null,
        "imagesDeletedAt": null,
    })
}

/// The same, once it is completed.
pub fn completed() -> Value {
    let mut generation = pending();
    generation["status"] = json!("completed");
    generation["progress"] = json!(100);
    generation["stage"] = json!("finished");
    generation["title"] = json!("Sleep better");
    generation["language"] = json!("en");
    generation["outputs"] = json!([output()]);
    generation["startedAt"] = json!("2026-01-31T12:00:00.120Z");
    generation["completedAt"] = json!("2026-01-31T12:00:01.870Z");
    generation
}

/// An answer that is a generation, just accepted.
pub fn accepted() -> Value {
    json!({ "generation": pending() })
}

/// An image.
pub fn output() -> Value {
    let url = "https://vivid.example/files/images/0198c0de.png?expires=1770465601&signature=5f1c8e";
    json!({
        "id": "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e91",
        "outputId": "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e91",
        "formatId": "instagram_post",
        "kind": "visual",
        "slideIndex": null,
        "sortOrder": 0,
        "imageUrl": url,
        "fileUrl": url,
        "thumbnailUrl": url.replace(".png", ".png.webp"),
        "width": 1638,
        "height": 2048,
        "mimeType": "image/png",
        "bytes": 183_042,
        "version": 1,
        "edit": null,
        "altText": "Sleep better: keep one bedtime, no screens in the last hour, cool the room to 18 °C.",
        "quality": {"passed": true, "checks": [
            {"name": "contrast", "value": 7.4, "gate": 4.5, "passed": true, "hard": true},
        ]},
    })
}

/// What an edit would do.
pub fn proposal() -> Value {
    let instruction = "On version 1: set the headline size to 150 (was 120)";
    json!({
        "needsConfirmation": true,
        "outputId": "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e91",
        "refinedInstruction": instruction,
        "preview": instruction,
        "changes": [{"what": "headline size", "from": "120", "to": "150"}],
        "notes": [],
        "creditCost": 10,
        "previewImageUrl": "https://vivid.example/files/previews/0198c0de.png?expires=1770465601&signature=5f1c8e",
    })
}

/// A question back.
pub fn clarification() -> Value {
    json!({
        "needsClarification": true,
        "reason": "not_understood",
        "clarificationMessage": "I could not tell what is to change.",
        "suggestions": ["Make the headline bigger", "Set the background to navy"],
    })
}

/// A format of the catalogue.
pub fn format() -> Value {
    serde_json::to_value(formats::of("linkedin_carousel")).unwrap_or_default()
}

/// A file that was uploaded.
pub fn upload() -> Value {
    json!({
        "id": "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e92",
        "bytes": 183_042,
        "mimeType": "application/pdf",
        "expiresAt": "2026-02-01T12:00:00.000Z",
    })
}

/// A family of fonts.
pub fn font() -> Value {
    json!({"family": "Instrument Serif", "weights": [400], "source": "built-in", "expiresAt": null})
}
