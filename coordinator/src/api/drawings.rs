//! `GET /api/drawings`: searches the icons and pictures that pages can use.

use std::fmt::Write as _;

use axum::Json;
use axum::http::Uri;
use render_core::content::Language;
use render_core::icon::{self, Icon, IconSet};
use render_core::pictures;
use render_core::warning::Warning;
use serde::Serialize;
use utoipa::ToSchema;

use super::spec::page_examples;
use super::spec::params::DrawingsQuery;
use crate::access::{Scoped, scope};
use crate::http::error::{ApiError, Detail};
use crate::http::{names, query};

/// Query parameters.
pub(super) const PARAMETERS: [&str; 2] = ["query", "language"];
/// Maximum number of icons, and of pictures, in a response.
const MOST: usize = 48;
/// Maximum length of a query in characters.
const QUERY_CHARS: usize = 100;

/// Icons and pictures that pages can use.
#[derive(Debug, Serialize, ToSchema)]
#[schema(examples(json!(page_examples::drawings())))]
pub struct DrawingsAnswer {
    /// Icons, best match first.
    icons: Vec<DrawnIcon>,
    /// Pictures.
    pictures: Vec<NamedPicture>,
    /// Warnings about the query, such as unknown parameters.
    #[schema(value_type = Vec<names::Warning>)]
    warnings: Vec<Warning>,
}

/// An icon.
#[derive(Debug, Serialize, ToSchema)]
pub struct DrawnIcon {
    /// The icon's name, for `icon` attributes.
    #[schema(examples("cloud"))]
    name: &'static str,
    /// The icon as an SVG document that uses `currentColor`. Pages draw it with the icon family of their style.
    svg: String,
}

/// A picture that the page language can name.
#[derive(Debug, Serialize, ToSchema)]
pub struct NamedPicture {
    /// The picture's name, for `<picture name>`.
    #[schema(examples("bridge"))]
    name: &'static str,
    /// What the picture shows.
    about: &'static str,
}

/// Find icons and pictures
///
/// Searches the icons and pictures that the page language can name. The query can be in any of the service's languages.
/// Without a query, the response holds the first of each.
#[utoipa::path(
    get,
    path = "/api/drawings",
    operation_id = "findDrawings",
    tag = "Images",
    security(("apiKey" = ["generations:read"])),
    params(DrawingsQuery),
    responses((status = 200, description = "The matching icons and pictures.", body = DrawingsAnswer)),
    extensions(("x-codes" = json!(["validation_failed"]))),
)]
pub async fn find(_: Scoped<scope::GenerationsRead>, uri: Uri) -> Result<Json<DrawingsAnswer>, ApiError> {
    let (mut words, mut language) = (String::new(), Language::english());
    for (name, value) in query::pairs(&uri)? {
        match name.as_str() {
            "query" if value.chars().count() > QUERY_CHARS => {
                let message = format!("query must have at most {QUERY_CHARS} characters.");
                return Err(ApiError::Invalid(vec![Detail::new("query", "too_long", message)]));
            }
            "query" => words = value.trim().to_lowercase(),
            "language" => {
                language = Language::parse(&value).map_err(|_| {
                    let message = "language must be a two-letter code, a BCP 47 tag or an English name.";
                    ApiError::Invalid(vec![Detail::new("language", "invalid_value", message)])
                })?;
            }
            _ => {}
        }
    }
    Ok(Json(DrawingsAnswer {
        icons: icons(&words, &language).into_iter().filter_map(drawn).collect(),
        pictures: named(&words),
        warnings: query::warnings(&uri, &PARAMETERS),
    }))
}

/// Returns the icons that match the query's meaning, followed by those whose names contain its words.
fn icons(words: &str, language: &Language) -> Vec<Icon> {
    let mut found = if words.is_empty() { Vec::new() } else { Icon::meanings(words, language) };
    let english = Language::english();
    if found.is_empty() && !words.is_empty() {
        found = Icon::meanings(words, &english);
    }
    for icon in Icon::all().chain(Icon::marks()).filter(|icon| icon.name().contains(words)) {
        if !found.contains(&icon) {
            found.push(icon);
        }
    }
    found.truncate(MOST);
    found
}

fn named(words: &str) -> Vec<NamedPicture> {
    let says = |text: &str| text.to_lowercase().contains(words);
    let entries = pictures::all().iter();
    let found = entries.filter(|entry| says(entry.name) || says(entry.about) || says(entry.words));
    found.take(MOST).map(|entry| NamedPicture { name: entry.name, about: entry.about }).collect()
}

fn drawn(icon: Icon) -> Option<DrawnIcon> {
    let icon::Drawing { strokes, fills, pen } = icon.drawing(IconSet::Lucide)?;
    let mut svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\">".to_owned();
    // Writing to a string can't fail.
    for path in fills {
        let _ = write!(svg, "<path fill=\"currentColor\" d=\"{}\"/>", path.to_svg());
    }
    for path in strokes {
        let _ = write!(
            svg,
            "<path fill=\"none\" stroke=\"currentColor\" stroke-width=\"{pen:.3}\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\" d=\"{}\"/>",
            path.to_svg()
        );
    }
    svg.push_str("</svg>");
    Some(DrawnIcon { name: icon.name(), svg })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn icons_are_found_by_meaning_in_any_language_and_by_name() {
        let first = |words: &str, language: &str| {
            let found = icons(words, &Language::parse(language).unwrap());
            found.first().map(|icon| icon.name())
        };
        assert_eq!(first("cloud", "en"), Some("cloud"));
        assert_eq!(first("wolke", "de"), Some("cloud"));
        assert_eq!(icons("", &Language::english()).len(), MOST);
        assert!(icons("xyzzy", &Language::english()).is_empty());
    }

    #[test]
    fn pictures_are_found_by_what_they_show() {
        assert!(named("bridge").iter().any(|picture| picture.name == "bridge"));
        assert!(!named("").is_empty() && named("xyzzy").is_empty());
    }

    #[test]
    fn drawings_are_documents() {
        let svg = drawn(Icon::by_name("cloud").unwrap()).unwrap().svg;
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>") && svg.contains(" d=\"M"), "{svg}");
    }
}
