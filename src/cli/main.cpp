#include "app.h"

int main(int argc, char** argv) { return deepcfr::run_program(argc, argv); }
