// What a paint gives.

struct Source {
    // Encoded sRGB times alpha, and alpha.
    color: vec4<f32>,
    // 1 where its bands would show.
    banded: f32,
}
