/** The first and the last second of the years 1 to 9999, for which dates can be written. */
export const firstSecond = -62_135_596_800
export const lastSecond = 253_402_300_799

/** Whether a value is a time: whole Unix seconds. Milliseconds, the usual mistake, are beyond the range. */
export const isSeconds = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= firstSecond && Number(value) <= lastSecond

/** What a time must look like, for messages. */
export const expected = "whole Unix seconds within the years 1 to 9999"
