import { PASSWORDS } from '#lib/messages/pages/login.ts';
import { passwordFault } from './password.ts';

/**
 * Returns the form errors for a new password whose repetition differs, including the password's own fault;
 * null where both are the same. Then the function that sets the password checks it.
 * @param name of the account that gets the password
 */
export function repeatErrors(
	{ password, repeat }: { password: string; repeat: string },
	name: string
): { password?: string; repeat: string } | null {
	if (password === repeat) return null;
	const fault = passwordFault(password, name);
	return { ...(fault === null ? {} : { password: fault.message }), repeat: PASSWORDS.differ };
}
