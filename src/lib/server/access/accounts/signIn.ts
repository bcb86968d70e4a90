/** Functions of signing in, each in its own file. */
import { bindTo } from '../../platform/bind.ts';
import { changePassword } from './sign-in/changePassword.ts';
import { confirm, confirmByFactor } from './sign-in/confirm.ts';
import type { SignInDependencies } from './sign-in/dependencies.ts';
import { enter } from './sign-in/enter.ts';
import { finish } from './sign-in/finish.ts';
import { signInByPasskey } from './sign-in/passkeyLogin.ts';
import { signIn } from './sign-in/passwordLogin.ts';
import { pendingLogin } from './sign-in/pendingLogin.ts';

export function createSignIn(deps: SignInDependencies) {
	const bound = bindTo(deps);
	return {
		signIn: bound(signIn),
		enter: bound(enter),
		pendingLogin: bound(pendingLogin),
		finish: bound(finish),
		signInByPasskey: bound(signInByPasskey),
		confirm: bound(confirm),
		confirmByFactor: bound(confirmByFactor),
		changePassword: bound(changePassword)
	};
}

export type SignIn = ReturnType<typeof createSignIn>;
