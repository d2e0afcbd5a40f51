// The fields of a page's forms.

/**
 * Whether somebody changed a field since the server wrote it.
 * @param {any} field
 */
export function isChanged(field) {
  if (field instanceof HTMLSelectElement) return !field.selectedOptions[0]?.defaultSelected && field.querySelector("[selected]") !== null;
  if (field.type === "radio") return field.checked && !field.defaultChecked;
  return field.type === "checkbox" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}
