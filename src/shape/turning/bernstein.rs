//! Polynomials in Bernstein form: the least and the greatest coefficient bound all values.

/// The number of coefficients.
pub(super) const TERMS: usize = 9;

const DEGREE: usize = TERMS - 1;

/// The Bernstein coefficients on [-1, 1] of each monomial.
const FROM_POWERS: [[f64; TERMS]; TERMS] = from_powers();

/// A polynomial on a part of the range from -1 to 1.
#[derive(Clone, Copy)]
pub(super) struct Bernstein([f64; TERMS]);

impl Bernstein {
    /// The polynomial with these coefficients in the monomial basis.
    pub(super) fn of_powers(powers: [f64; TERMS]) -> Self {
        let mut found = [0.0; TERMS];
        for (row, power) in FROM_POWERS.iter().zip(powers) {
            for (sum, factor) in found.iter_mut().zip(row) {
                *sum += factor * power;
            }
        }
        Self(found)
    }

    /// The lower and the upper bound.
    pub(crate) fn bounds(&self) -> [f64; 2] {
        let [first, others @ ..] = self.0;
        let spread = |[low, high]: [f64; 2], it: f64| {
            [
                if it < low { it } else { low },
                if it > high { it } else { high },
            ]
        };
        others.into_iter().fold([first; 2], spread)
    }

    /// The opposite.
    pub(crate) fn negative(&self) -> Self {
        Self(self.0.map(|it| -it))
    }

    /// The earlier and the later half (de Casteljau).
    pub(crate) fn halves(&self) -> [Self; 2] {
        let (mut row, mut halves) = (self.0, [[0.0; TERMS]; 2]);
        for level in 0..TERMS {
            halves[0][level] = row[0];
            halves[1][DEGREE - level] = row[DEGREE - level];
            for index in 0..DEGREE - level {
                row[index] = 0.5 * (row[index] + row[index + 1]);
            }
        }
        halves.map(Self)
    }

    /// Where it may have its least value, as a part of its range; `None` if the signs of its first and
    /// second differences don't tell.
    pub(crate) fn least(&self) -> Option<LeastAt> {
        let slopes: [f64; DEGREE] = std::array::from_fn(|index| self.0[index + 1] - self.0[index]);
        if slopes.iter().all(|&slope| slope >= 0.0) {
            return Some(LeastAt::Ends(&[0.0]));
        } else if slopes.iter().all(|&slope| slope <= 0.0) {
            return Some(LeastAt::Ends(&[1.0]));
        }
        let mut bends = slopes.windows(2).map(|pair| pair[1] - pair[0]);
        if bends.clone().all(|bend| bend >= 0.0) {
            let index = slopes
                .iter()
                .position(|&slope| slope > 0.0)
                .unwrap_or(DEGREE);
            let (before, after) = (slopes[index.max(1) - 1], slopes[index.max(1)]);
            // The coefficients of the derivative belong to equally spaced positions in the range.
            let part =
                (index.max(1) as f64 - 1.0 - before / (after - before)) / (DEGREE - 1) as f64;
            return Some(LeastAt::Inside(part.clamp(0.0, 1.0)));
        }
        (bends.all(|bend| bend <= 0.0)).then_some(LeastAt::Ends(&[0.0, 1.0]))
    }

    /// Where the least coefficient is, as a part of the range.
    pub(crate) fn lowest(&self) -> f64 {
        let of = |index: usize| self.0[index];
        let lowest = (1..TERMS).fold(0, |least, it| if of(it) < of(least) { it } else { least });
        lowest as f64 / DEGREE as f64
    }
}

/// Where a polynomial has its least value.
pub(crate) enum LeastAt {
    /// At one of these ends of its range: 0 is the start, 1 the end.
    Ends(&'static [f64]),
    /// About this part of the range, at the only local minimum.
    Inside(f64),
}

/// Entry k, j is the k-th elementary symmetric polynomial of j ones and the other arguments minus one,
/// over its number of terms.
const fn from_powers() -> [[f64; TERMS]; TERMS] {
    let mut table = [[0.0; TERMS]; TERMS];
    let mut ones = 0;
    while ones < TERMS {
        // The coefficients of (1 + x)^ones (1 - x)^others, and of (1 + x)^DEGREE.
        let (mut signed, mut all) = ([0.0; TERMS], [0.0; TERMS]);
        (signed[0], all[0]) = (1.0, 1.0);
        let mut factor = 0;
        while factor < DEGREE {
            let sign = if factor < ones { 1.0 } else { -1.0 };
            let mut power = DEGREE;
            while power > 0 {
                signed[power] += sign * signed[power - 1];
                all[power] += all[power - 1];
                power -= 1;
            }
            factor += 1;
        }
        let mut power = 0;
        while power < TERMS {
            table[power][ones] = signed[power] / all[power];
            power += 1;
        }
        ones += 1;
    }
    table
}
