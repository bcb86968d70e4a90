/** `npm start`: builds when needed, and serves what was built. */
import './memory.ts';
import { keepCompiled } from './compiled.ts';

keepCompiled();
// What is imported above is compiled before anything here runs.
const { startProduct } = await import('./product.ts');
await startProduct();
