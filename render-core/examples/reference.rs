//! Prints the reference page of the page language.
#![allow(clippy::print_stdout, reason = "a command prints")]
fn main() {
    println!("{}", render_core::markup::reference(&render_core::elements::VOCABULARY, &[]));
}
