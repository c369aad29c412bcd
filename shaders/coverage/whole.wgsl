// Coverage: all of the box.

fn coverage(in: Corner, p: vec2<f32>) -> f32 {
    return 1.0;
}
