// Clauses in memory for a solver, as a program in C++ passes them: no list of Python is read.
// `make compiled` builds a library for each engine of cnf_compiled.py from this file.

#include <cstdint>
#include <cstdlib>

#ifdef MINISAT
#include "core/Solver.h"

struct Engine {
    Minisat::Solver solver;
    Minisat::vec<Minisat::Lit> clause;

    void add(int literal) {
        if (!literal) {
            solver.addClause_(clause);
            clause.clear();
            return;
        }
        while (solver.nVars() < abs(literal)) solver.newVar();
        clause.push(Minisat::mkLit(abs(literal) - 1, literal < 0));
    }
    bool solve() { return solver.solve(); }
    bool is_true(int variable) { return solver.model[variable - 1] == Minisat::lbool((uint8_t)0); }
};
#else
#include <cadical.hpp>

struct Engine {
    CaDiCaL::Solver solver;

    Engine() { solver.set("quiet", 1); }
    void add(int literal) { solver.add(literal); }
    bool solve() { return solver.solve() == 10; }
    bool is_true(int variable) { return solver.val(variable) > 0; }
};
#endif

extern "C" {
Engine *create() { return new Engine; }
void destroy(Engine *engine) { delete engine; }

// Clauses, each with a 0 at its end.
void add(Engine *engine, const int32_t *literals, int64_t number) {
    for (int64_t i = 0; i < number; i++) engine->add(literals[i]);
}

// Whether there is a model; if so, the literals of the first variables.
int solve(Engine *engine, int32_t *model, int64_t variables) {
    if (!engine->solve()) return 0;
    for (int64_t v = 1; v <= variables; v++) model[v - 1] = engine->is_true(v) ? v : -v;
    return 1;
}
}
