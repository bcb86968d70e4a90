/**
 * Empties the passwords of a form that was refused, as a page that is made anew does: who comes to a screen that was
 * left finds none.
 */
export function forgetPasswords(form: HTMLFormElement): void {
	for (const field of form.querySelectorAll<HTMLInputElement>('input[type="password"]')) {
		field.value = '';
		field.dispatchEvent(new Event('input', { bubbles: true }));
	}
}
