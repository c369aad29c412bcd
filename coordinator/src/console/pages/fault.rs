//! Error pages: what went wrong, in a sentence, and a link to continue.

use axum::response::Response;
use maud::html;
use uuid::Uuid;

use super::shell;

/// Renders an error page. `title` is one or two words, `message` a sentence, `id` the id of the request.
pub fn page(prefix: &str, title: &str, message: &str, id: Uuid) -> Response {
    let body = html! {
        main.door-form {
            div {
                (shell::mark(prefix))
                h1 { (title) }
                p { (message) }
                div.buttons {
                    a.button.primary href={ (prefix) "/" } { "Go to the start" }
                    a.button.plain href={ (prefix) "/library" } { "Open the library" }
                }
                p.quiet.small { "Request " span.mono { (id) } }
            }
        }
    };
    shell::bare(prefix, "fault", title, &body)
}
