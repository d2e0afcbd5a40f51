// The fields of a page's forms.

/** @param {any} field */
export const isTick = (field) => /^(radio|checkbox)$/.test(field.type);

/** @param {any} field */
export const valueOf = (field) => (isTick(field) ? field.checked : field.value);

/**
 * The value of a field as the server wrote it.
 * @param {any} field
 */
export function initialValue(field) {
  if (field instanceof HTMLSelectElement) return ([...field.options].find((option) => option.defaultSelected) ?? field.options[0])?.value;
  return isTick(field) ? field.defaultChecked : field.defaultValue;
}

/**
 * Whether somebody changed a field since the server wrote it.
 * @param {any} field
 */
export const isChanged = (field) => valueOf(field) !== initialValue(field) && (field.type !== "radio" || field.checked);
