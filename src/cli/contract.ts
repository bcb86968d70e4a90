/**
 * `npm run contract -- DIR`: checks every fixture under DIR against the method registry. Prints a line for
 * each mismatch and a summary; exits with 1 if there is any, or if nothing was checked.
 */
import { CONTRACT } from '#lib/messages/commandLine.ts';
import { checkFixture } from '#lib/rpc/contract.ts';
import { fixturesUnder } from './fixtures.ts';

const [folder, ...more] = process.argv.slice(2);
if (folder === undefined || more.length > 0) {
	process.stderr.write(`${CONTRACT.usage}\n`);
	process.exit(2);
}

let fixtures: ReturnType<typeof fixturesUnder>;
try {
	fixtures = fixturesUnder(folder);
} catch (error) {
	const { code = 'unknown error' } = error as NodeJS.ErrnoException;
	process.stderr.write(`${CONTRACT.unreadable(folder, code)}\n`);
	process.exit(2);
}

let fitting = 0;
let mismatching = 0;
let passedOver = 0;
for (const { name, text } of fixtures) {
	const verdict = checkFixture(text);
	if (verdict.kind === 'passed-over') passedOver += 1;
	else if (verdict.mismatches.length === 0) fitting += 1;
	else {
		mismatching += 1;
		for (const mismatch of verdict.mismatches) {
			process.stdout.write(`${name}: ${mismatch}\n`);
		}
	}
}
process.stdout.write(`${CONTRACT.summary(fitting, mismatching, passedOver)}\n`);
process.exit(mismatching > 0 || fitting === 0 ? 1 : 0);
