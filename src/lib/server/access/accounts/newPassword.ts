import { PASSWORDS } from '#lib/messages/pages/login.ts';
import { passwordFault } from './password.ts';

/**
 * What a form says at its fields of a password that was typed twice differently, everything at once; null where both
 * are the same: whether such a one may be had is for what sets it to say.
 * @param name whose password it becomes
 */
export function repeatErrors(
	{ password, repeat }: { password: string; repeat: string },
	name: string
): { password?: string; repeat: string } | null {
	if (password === repeat) return null;
	const fault = passwordFault(password, name);
	return { ...(fault === null ? {} : { password: fault.message }), repeat: PASSWORDS.differ };
}
