/**
 * Fixes the random cases of every property where `APPORTION_SEED` is set, as `.ci/run` does: a commit is judged by
 * the same cases each time it is looked at. Without it each run draws new ones.
 */
import fc from "fast-check"

const asked = process.env.APPORTION_SEED
if (asked !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(asked) })
