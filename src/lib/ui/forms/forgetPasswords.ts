/**
 * Clears the passwords of a form that was refused, as a newly loaded page does, so that an unattended
 * screen does not contain them.
 */
export function forgetPasswords(form: HTMLFormElement): void {
	for (const field of form.querySelectorAll<HTMLInputElement>('input[type="password"]')) {
		field.value = '';
		field.dispatchEvent(new Event('input', { bubbles: true }));
	}
}
