//! The login page, and the page that sets a password by a link.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};

use super::shell;
use crate::app::App;
use crate::console::assets;

/// `GET /login`.
pub(super) async fn login(State(app): State<Arc<App>>) -> Response {
    let form = html! {
        h1 { "Sign in" }
        form.stack #login method="post" novalidate {
            div.field {
                label for="email" { "E-mail" }
                input.input #email name="email" type="email" autocomplete="username" required autofocus;
            }
            div.field {
                label for="password" { "Password" }
                input.input #password name="password" type="password" autocomplete="current-password" required;
            }
            p.note.bad #fault role="alert" hidden {}
            button.button.primary type="submit" { "Sign in" }
        }
        p.quiet.small { "No password yet, or forgotten? Ask the operator of this service or a holder of your account for a link to set one." }
    };
    door(&app, "login", "Sign in", &form)
}

/// `GET /welcome`: the link's token is in the URL fragment, which browsers don't send to servers.
pub(super) async fn welcome(State(app): State<Arc<App>>) -> Response {
    let form = html! {
        h1 { "Choose your password" }
        form.stack #welcome method="post" novalidate {
            div.field {
                label for="password" { "Password" }
                input.input #password name="password" type="password" autocomplete="new-password" required autofocus
                    aria-describedby="rule";
                span.hint #rule { "At least 10 characters. An unusual combination of a few words works well." }
            }
            div.field {
                label for="again" { "The same again" }
                input.input #again name="again" type="password" autocomplete="new-password" required;
            }
            p.note.bad #fault role="alert" hidden {}
            button.button.primary type="submit" { "Set the password" }
        }
    };
    door(&app, "welcome", "Choose your password", &form)
}

fn door(app: &App, name: &'static str, title: &str, form: &Markup) -> Response {
    let prefix = app.console.prefix();
    let body = html! {
        div.door {
            main.door-form { div { (shell::mark(prefix)) (form) } }
            aside.door-show aria-hidden="true" {
                div.door-cards {
                    @for card in 1..=3 { img src={ (prefix) (assets::path(&format!("door-{card}.webp"))) } width="480" height="600" alt=""; }
                }
                p { "Every word right. Every pixel where a designer would put it." }
                small { "Text, a link, a document or an idea, turned into finished images and carousels." }
            }
        }
    };
    shell::bare(prefix, name, title, &body)
}
